"""The table of all uses: a part of it in the gate, all of it with `--all`."""

import os

from misuse import runner, verdicts

WHOLE = os.environ.get("MONDO_EXTENT") == "all"
IS_DEFAULT = os.environ.get("MONDO_BUNDLE", "default") == "default"
# By whether it is the default bundle, and whether it is the whole table.
LEAST = {
    (True, True): 700_000,
    (True, False): 100_000,
    (False, True): 300_000,
    (False, False): 75_000,
}


def test_uninitialised_objects_raise_what_is_wrong():
    outcome = runner.run(WHOLE)
    assert outcome.wrong == []
    assert outcome.clear > outcome.uses // 20
    assert outcome.uses > LEAST[IS_DEFAULT, WHOLE]
    if WHOLE and IS_DEFAULT:
        assert outcome.reasons == {*verdicts.ANSWERS, *verdicts.ERRORS}, (
            "reasons that nothing needs any more"
        )
