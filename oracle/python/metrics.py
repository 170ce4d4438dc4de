"""sacreBLEU's scores of made-up adversarial text: Unicode, entities, numbers, CJK, emoji, repeated words, empty lines.

    pip install sacrebleu==2.6.0
    python3 oracle/python/metrics.py > oracle/python/metrics.json

More of the same, for a longer check:  python3 oracle/python/metrics.py SEED SETS > /tmp/more.json
"""
import json
import platform
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 17
SETS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
rng = random.Random(SEED)

WORDS = "the a of Der die das house Haus runs läuft naïve STRASSE Straße İstanbul ΣΊΣΥΦΟΣ sun's it's, dogs' x".split()
NUMBERS = "3.14 1,000 1,000.5 10-20 -5 5% $9.99 2-1 .5 5. 12:30 3,a a,3 1..2 ½ ٣٫٥ 4/5 7-".split()
MARKS = ". , ; : ! ? - -- ... ( ) [ ] { } \" ' ` ' ’ “ ” „ « » – — … ¿ ¡ · • € £ © ° + = < > | \\ / & # @ ^ _ ~ *".split()
ENTITIES = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&#39;", "&nbsp;", "<skipped>", "AT&T"]
CJK = ["中文", "日本語", "ひらがな", "カタカナ", "한국어", "，", "。", "「", "」", "、", "！", "？", "（", "㈱", "豈", "𠀀", "ｱ", "．", "・", "〇", "㐀", "鿀"]
ODD = ["😀", "👩‍👩‍👧", "e\u0301", "\ufeff", "\u200b", "a\u00a0b", "c\u2009d", "x\u0085y", "p\u001cq", "ﬁ", "ǅ", "𝒜", "+1", "\u3000", "\t"]
POOLS = [WORDS, WORDS, WORDS, NUMBERS, MARKS, ENTITIES, CJK, ODD]


def glue():
    return rng.choice([" ", " ", " ", "", "  "])


def sentence(longest=14):
    parts = []
    for _ in range(rng.randint(1, longest)):
        parts += [rng.choice(rng.choice(POOLS)), glue()]
    return "".join(parts)


def scramble(text):
    """A hypothesis that shares a good deal with the reference, with blocks moved, words dropped, changed and repeated."""
    words = text.split(" ")
    for _ in range(rng.randint(0, 4)):
        if len(words) < 2:
            break
        i, j = sorted(rng.sample(range(len(words) + 1), 2))
        kind = rng.randint(0, 4)
        if kind <= 1:
            block = words[i:j]
            rest = words[:i] + words[j:]
            k = rng.randint(0, len(rest))
            words = rest[:k] + block + rest[k:]
        elif kind == 2:
            del words[i]
        elif kind == 3:
            words[i:i] = [rng.choice(rng.choice(POOLS))]
        else:
            words[j:j] = words[i:j]
    return " ".join(words)


def repeated(length, kinds):
    """Few different words: many blocks match, so that ties and limits of the search decide."""
    return " ".join(rng.choice("abcdefghijklmnop"[:kinds]) for _ in range(length))


def text_set():
    refs, hyps = [], []
    for _ in range(14):
        ref = sentence()
        refs.append(ref)
        hyps.append(scramble(ref))
    for length, kinds in [(6, 2), (10, 3), (12, 4), (18, 8), (24, 16)]:
        ref = repeated(length, kinds)
        refs.append(ref)
        hyps.append(repeated(max(1, length + rng.randint(-4, 4)), kinds) if rng.random() < 0.4 else scramble(ref))
    refs += ["one two three", " ", "x", "same words here , same words there .", "", "a b c d e"]
    hyps += ["", "not empty", "x y z " * 6, "same words there , same words here .", "", " "]
    others = [None if rng.random() < 0.3 else scramble(ref) for ref in refs]
    return {"hypotheses": hyps, "references": refs, "others": others}


SETTINGS = [
    ("bleu", {}), ("bleu", {"tokenize": "intl"}), ("bleu", {"tokenize": "zh"}), ("bleu", {"tokenize": "char"}),
    ("bleu", {"tokenize": "none"}), ("bleu", {"lowercase": True}), ("bleu", {"effective_order": True}),
    ("bleu", {"smooth_method": "floor"}), ("bleu", {"smooth_method": "floor", "smooth_value": 0.01}),
    ("bleu", {"smooth_method": "add-k"}), ("bleu", {"smooth_method": "add-k", "smooth_value": 0.5}),
    ("bleu", {"smooth_method": "none"}), ("bleu", {"max_ngram_order": 2}),
    ("chrf", {}), ("chrf", {"word_order": 2}), ("chrf", {"word_order": 1, "char_order": 4}), ("chrf", {"beta": 3}),
    ("chrf", {"whitespace": True}), ("chrf", {"lowercase": True}), ("chrf", {"eps_smoothing": True, "word_order": 2}),
    ("ter", {}), ("ter", {"normalized": True}), ("ter", {"no_punct": True}), ("ter", {"case_sensitive": True}),
    ("ter", {"normalized": True, "asian_support": True}), ("ter", {"no_punct": True, "asian_support": True}),
    ("ter", {"normalized": True, "no_punct": True, "asian_support": True}),
]
METRICS = {"bleu": BLEU, "chrf": CHRF, "ter": TER}


def score(metric, options, texts, multiple):
    refs = [texts["references"]] + ([texts["others"]] if multiple else [])
    made = METRICS[metric](**options)
    corpus = made.corpus_score(texts["hypotheses"], refs)
    sentences = []
    for i, hyp in enumerate(texts["hypotheses"]):
        own = [ref[i] for ref in refs if ref[i] is not None]
        sentences.append(METRICS[metric](**options).sentence_score(hyp, own).score)
    return {
        "metric": metric, "options": options, "multiple": multiple, "name": corpus.name, "score": corpus.score,
        "signature": str(made.get_signature()), "sentences": sentences,
    }


sets = []
for _ in range(SETS):
    texts = text_set()
    cases = [score(metric, options, texts, multiple) for metric, options in SETTINGS for multiple in (False, True)]
    sets.append({**texts, "cases": cases})


def long_texts():
    """Sentences on which the band, the farthest shift and the number of shifts tried come into play; TER only, since
    sacreBLEU takes seconds for each."""
    words = [f"w{rng.randint(0, 60)}" for _ in range(rng.randint(70, 110))]
    cut = rng.randint(10, 60)
    pairs = [
        (" ".join(words[cut:] + words[:cut]), " ".join(words)),
        (repeated(40, 6), repeated(45, 6)),
        (repeated(60, 12), repeated(25, 12)),
        (repeated(80, 14), "p o n"),
        ("a b", repeated(120, 10)),
    ]
    hypotheses, references = [hyp for hyp, _ in pairs], [ref for _, ref in pairs]
    texts = {"hypotheses": hypotheses, "references": references, "others": references}
    return {**texts, "cases": [score("ter", {}, texts, False)]}


sets.append(long_texts())
tool = {"python": platform.python_version(), "sacrebleu": sacrebleu.__version__}
print(json.dumps({"tool": tool, "sets": sets}, ensure_ascii=True))
