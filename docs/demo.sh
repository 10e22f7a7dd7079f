#!/bin/sh
# The gate at work, in a throw-away repository with a bare remote; offline. `make demo` runs this.
set -eu

# Git sets some of these in aliases and hooks, and they would lead the demo into the repository it was started from.
for name in $(env | sed -n -e 's/^\(GIT_[A-Z0-9_]*\)=.*/\1/p' -e 's/^\(REVIEW_GATE[A-Z0-9_]*\)=.*/\1/p'); do
    unset "$name"
done
work=$(mktemp -d "${TMPDIR:-/tmp}/review-gate-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
HOME=$work/home; XDG_CONFIG_HOME=$HOME/config; GIT_CONFIG_GLOBAL=$HOME/gitconfig; GIT_CONFIG_NOSYSTEM=1
export HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM
# Offline, and for nobody's money.
REVIEW_GATE_MODELS__USE=off; export REVIEW_GATE_MODELS__USE
mkdir -p "$HOME"
git config --global user.name Demo
git config --global user.email demo@example.org
git config --global init.defaultBranch main
git config --global advice.pushUpdateRejected false

bold=; cyan=; plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$(printf '\033[1m'); cyan=$(printf '\033[36m'); plain=$(printf '\033[0m'); fi
say() { printf '\n%s## %s%s\n' "$bold" "$1" "$plain"; }
# Shows a command, runs it, and checks that it ends the way this demo promises.
try() {
    wanted=$1; shift
    printf '%s$' "$cyan"
    for word in "$@"; do case $word in *" "*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '%s\n' "$plain"
    code=0; "$@" 2>&1 || code=$?
    case $wanted in
        ok) [ "$code" -eq 0 ] || { echo "demo: this should have worked"; exit 1; } ;;
        refused) [ "$code" -ne 0 ] || { echo "demo: this should have been refused"; exit 1; } ;;
    esac
}

git init --quiet --bare "$work/remote.git"
git init --quiet "$work/shop"
cd "$work/shop"
git remote add origin "$work/remote.git"
cat > price.py <<'PY'
def total(prices):
    return sum(prices)
PY
cat > test_price.py <<'PY'
import unittest

from price import total


class TotalTest(unittest.TestCase):
    def test_an_empty_basket_costs_nothing(self):
        self.assertEqual(total([]), 0)


if __name__ == "__main__":
    unittest.main()
PY
cat > .review-gate.yaml <<'YAML'
test_command: [python3, -B, -m, unittest, -q]
YAML
git add -A && git commit --quiet -m "A shop that can add"

say "Install the gate"
try ok review-gate install

say "A commit that cannot work is stopped"
echo 'def total(prices: return sum(prices)' > price.py
git add price.py
try refused git commit -m "Quick fix"
git checkout --quiet HEAD -- price.py

say "So is a secret"
printf 'AWS_KEY = "%s%s"\n' AKIA QWERTYUIOPASDFGH > settings.py
git add settings.py
try refused git commit -m "Settings"
git rm --quiet --force settings.py

say "A push without a review is stopped"
try refused git push -u origin main

say "A review that finds a real defect"
printf 'def total(prices):\n    return sum(prices) / len(prices) * len(prices)\n' > price.py
try ok git commit --quiet -am "Average the prices"
try refused review-gate run --yes
try refused git push -u origin main

say "The fix, a review that passes, and the push goes through"
printf 'def total(prices):\n    return sum(prices)\n' > price.py
try ok git commit --quiet -am "Add the prices again"
try ok review-gate run --yes
try ok git push -u origin main

say "An amended commit is another commit"
try ok git commit --quiet --amend -m "Add the prices again, with a better message"
try refused git push --force

say "Two branches in one push, one of them unreviewed"
try ok review-gate run --yes
try ok git switch --quiet -c sneaky
echo '# not reviewed' >> price.py
try ok git commit --quiet -am "Something nobody looked at"
try ok git switch --quiet main
try refused git push --force origin main sneaky

say "Where things stand"
try ok review-gate status
