"""Seconds that sacreBLEU takes for one system; argument: a folder with hypothesis.txt and reference.txt."""
import json
import sys
import time

from sacrebleu.metrics import BLEU, CHRF, TER

read = lambda name: open(f"{sys.argv[1]}/{name}.txt", encoding="utf-8").read().split("\n")
hypotheses, references = read("hypothesis"), [read("reference")]
made = {"bleu": lambda: BLEU(), "chrf": lambda: CHRF(), "chrf++": lambda: CHRF(word_order=2), "ter": lambda: TER()}
seconds = {}
for name, make in made.items():
    start = time.perf_counter()
    score = make().corpus_score(hypotheses, references).score
    seconds[name] = {"seconds": time.perf_counter() - start, "score": score}
print(json.dumps(seconds))
