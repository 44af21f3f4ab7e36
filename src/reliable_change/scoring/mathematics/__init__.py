"""Mathematical answers: found in a reply, read, and compared with the reference exactly."""
