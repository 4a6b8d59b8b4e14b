# A configuration that loads a project's suite and notes the folder of its tests: `site` and `note` are set above. The
# folder of each configuration is noted before that one is loaded, because it may end lit.
import os

load_config = lit_config.load_config


def noted(folder):
    with open(note, "w") as file:
        file.write(folder or "")


def load(config, path):
    noted(os.path.dirname(path))
    return load_config(config, path)


lit_config.load_config = load
lit_config.load_config(config, site)
lit_config.load_config = load_config
noted(config.test_source_root or os.path.dirname(site))
