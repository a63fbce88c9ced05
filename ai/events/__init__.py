"""Events and what comes of them: script commands and the trace of facts."""
