#!/usr/bin/env bash
# Runs the gate, keeps its comment, JUnit file and JSON in gosset-gate/, and ends with the gate's exit code.
# Everything is written to a new folder first: what lay in gosset-gate/ before, checked in or left over, is no answer of this run.
set -u
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
program="${GOSSET:-$here/../dist/bin/gosset.js}"
folder="${GATE_FOLDER:-gosset-gate}"
fresh="$(mktemp -d)" || exit 2
read -r -a candidates <<< "$CANDIDATE"
read -r -a names <<< "$BASELINE"
baselines=()
for name in "${names[@]}"; do baselines+=(--baseline "$name"); done
node "$program" gate "${candidates[@]}" "${baselines[@]}" --policy "$POLICY" --inconclusive "$INCONCLUSIVE" \
  --comment "$fresh/comment.md" --junit "$fresh/junit.xml" --out "$fresh/gate.json" --quiet
code=$?
# the exit code says whether there is an answer: 0 pass or warned, 1 fail, 3 inconclusive; 2 is bad input or setup, anything else a crash
outcome=""
case $code in
  0 | 1 | 3) outcome=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).outcome' "$fresh/gate.json") || code=2 ;;
esac
case $code:$outcome in
  0:pass | 0:inconclusive | 1:fail | 1:inconclusive | 3:inconclusive) ;;
  *) outcome="" ;;
esac
if [ -z "$outcome" ] && [ "$code" -eq 0 ]; then code=2; fi
if [ -f "$fresh/comment.md" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$fresh/comment.md" >> "$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "outcome=$outcome" >> "$GITHUB_OUTPUT"; fi
rm -rf -- "$folder" && mkdir -p -- "$(dirname -- "$folder")" && mv -- "$fresh" "$folder" || exit 2
if [ "$code" -eq 2 ]; then none="bad input"; else none="no answer"; fi
echo "gosset gate: ${outcome:-$none} (exit code $code)"
exit "$code"
