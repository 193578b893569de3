"""Any roll that people type, answered exactly: how it is read, and the distributions behind it."""
