"""What every virtual tabletop shares."""
