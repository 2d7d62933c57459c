&[
    ("epyc-zen4-2", include_str!("epyc-zen4-2.json")),
]
