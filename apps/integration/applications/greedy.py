"""Takes memory until it is killed."""
chunks = []
while True:
    chunks.append(bytearray(b"x" * (64 << 20)))
