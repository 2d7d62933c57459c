&[
    ("epyc-zen4-2", include_str!("epyc-zen4-2.json")),
    ("epyc-zen5-2", include_str!("epyc-zen5-2.json")),
]
