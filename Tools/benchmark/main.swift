print("cloudsync")
