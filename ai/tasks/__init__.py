"""The task kernel: state machines in prioritised trees that abort and resume (see README.md)."""
