print("guidance-bench")
