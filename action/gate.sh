#!/usr/bin/env bash
# Runs the gate, keeps its comment, JUnit file and JSON in gosset-gate/, and ends with the gate's exit code.
set -u
folder="${GATE_FOLDER:-gosset-gate}"
mkdir -p "$folder"
read -r -a candidates <<< "$CANDIDATE"
read -r -a names <<< "$BASELINE"
baselines=()
for name in "${names[@]}"; do baselines+=(--baseline "$name"); done
read -r -a program <<< "${GOSSET:-npx --yes $PACKAGE}"
"${program[@]}" gate "${candidates[@]}" "${baselines[@]}" --policy "$POLICY" --inconclusive "$INCONCLUSIVE" \
  --comment "$folder/comment.md" --junit "$folder/junit.xml" --out "$folder/gate.json" --quiet
code=$?
if [ -f "$folder/comment.md" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$folder/comment.md" >> "$GITHUB_STEP_SUMMARY"; fi
outcome=$(grep -o '"outcome": *"[a-z]*"' "$folder/gate.json" 2>/dev/null | head -n 1 | sed 's/.*"\([a-z]*\)"$/\1/')
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "outcome=$outcome" >> "$GITHUB_OUTPUT"; fi
echo "gosset gate: ${outcome:-bad input} (exit code $code)"
exit $code
