"""Where items come from: public benchmarks, and files of one's own."""
