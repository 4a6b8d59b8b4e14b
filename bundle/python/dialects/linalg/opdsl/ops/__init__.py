"""Operations that are defined in the language."""
