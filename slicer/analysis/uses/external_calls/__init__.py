"""Operations that external functions perform on their arguments."""
