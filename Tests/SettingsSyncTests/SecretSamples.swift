/// What people have in settings files, by kind; every value is made up.
///
/// A line is `secret` or `open`, the key, and the value, with tabs between.
enum SecretSamples {
  static let text = #"""
    secret	password	hunter2
    secret	db.password	correct horse
    secret	DB_PASSWORD	s3cr3t!
    secret	smtpPassword	letmein99
    secret	mysql_passwd	q1w2e3
    secret	PGPASSWORD	postgres-local
    secret	redis_pass	foobared
    secret	pass	abc123
    secret	userPwd	Winter2026
    secret	wifi_psk	correct horse battery
    secret	psk	0123456789abcdef
    secret	wpa-psk	my home network
    secret	wpa_passphrase	turn left at albuquerque
    secret	802-11-wireless-security.psk	garden gate 7
    secret	preSharedKey	kitchen-sink-42
    secret	wep-key0	abcde12345
    secret	privateKey	mGxq7Zk0c3Vb
    secret	private_key_id	4f1c0a9e7b2d4c6f8a1b3c5d7e9f0a2b4c6d8e0f
    secret	ssh.privateKey	-----BEGIN OPENSSH PRIVATE KEY-----
    secret	tls.key	-----BEGIN RSA PRIVATE KEY-----
    secret	cert_bundle	-----BEGIN EC PRIVATE KEY-----
    secret	signing	-----BEGIN PGP PRIVATE KEY BLOCK-----
    secret	apiKey	a1b2c3
    secret	API_KEY	zxcvbnm
    secret	api-key	1234
    secret	openai.apiKey	sk-proj-Zq3vT8mLw2Xy9Nb4Kd7Rp1Hs6Jc5Gf0A
    secret	maps.key	AIzaSyD3x9mQ7vK2pL8nB4tR6wY1zC5hJ0fG2sE
    secret	googleApi	AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q
    secret	x-api-key	77-88-99
    secret	weather_app_key	f00dbabe
    secret	appSecret	qwe
    secret	client_secret	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
    secret	clientSecret	no-one-knows
    secret	consumer_secret	kX9
    secret	jwt_secret	change me
    secret	SECRET_KEY	django-insecure-4x7
    secret	secretKeyBase	0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c
    secret	cookieSecret	biscuit
    secret	session_secret	tea time
    secret	sharedSecret	ab12
    secret	webhookSecret	whsec_5Zp8Lm2Qx7Rv3Tn9
    secret	token	0000-1111
    secret	authToken	Zm9v
    secret	access_token	ya29.a0AfH6SMBx7Qw3Er5Ty7Ui9Op1As3Df5Gh7
    secret	refreshToken	1//0gXyZabc
    secret	github.token	ghp_3kD8sL1mQ9vT5xZ7wR2yN4bC6hJ0fG8pE1aU
    secret	gh	gho_7hT2kQ9wL4xV8nM1zB5cR3yF6jD0sG2pA9eK
    secret	ci.runner	glpat-Xk29sLqP7mZt4Rw8Vb3N
    secret	slack.bot	xoxb-123456789012-1234567890123-Ab3De5Gh7Jk9Mn1Pq3St5Vw7
    secret	slack	xoxp-1234567890-abcdefghij1234567890
    secret	stripe	sk_live_51Hx7Kj2LmN8pQ4rS6tU9vW
    secret	stripeRestricted	rk_live_9aB8cD7eF6gH5iJ4kL3m
    secret	huggingface	hf_QwErTyUiOpAsDfGhJkLzXcVbNm123456
    secret	npm	npm_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8
    secret	pypi	pypi-AgEIcHlwaS5vcmcCJDk4NzY1NDMy
    secret	digitalocean	dop_v1_3f9a1c7e5b2d8f4a6c0e9b7d5f3a1c8e6b4d2f0a9c7e5b3d1f8a6c4e2b0d9f7a
    secret	sendgrid	SG.x7Kq2LmN8pQ4rS6t.U9vW1yZ3aB5cD7eF9gH1iJ3kL5mN7oP9qR1sT3uV5wX7
    secret	twilio	SK0a1b2c3d4e5f60718293a4b5c6d7e8f9
    secret	telegram	123456789:AAH7kq3vT8mLw2Xy9Nb4Kd7Rp1Hs6Jc5Gf0
    secret	discordBot	MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs
    secret	aws_access_key_id	AKIAQ3ZT7LMXW4VB2NKD
    secret	aws	ASIAX7KQ2LMN8PQ4RS6T
    secret	aws_secret_access_key	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
    secret	AccountKey	Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq==
    secret	azure.connection	DefaultEndpointsProtocol=https;AccountName=demo;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IF==
    secret	conn	Server=db;Database=app;User Id=sa;Password=Sommer2026;
    secret	connectionString	postgres://app:hunter2@db.local:5432/app
    secret	DATABASE_URL	mysql://root:toor@127.0.0.1/shop
    secret	mongo	mongodb+srv://user:p%40ss@cluster.example.net/test
    secret	broker	amqp://guest:guest@rabbit.local:5672/%2f
    secret	redis	redis://:foobared@cache.local:6379/0
    secret	proxy	http://jo:geheim@proxy.example.org:8080
    secret	http.proxy	socks5://me:pw@10.0.0.1:1080
    secret	remote	https://oauth2:abc123@git.example.org/team/app.git
    secret	feed	https://example.org/feed?token=abcdef123456
    secret	calendar	https://example.org/cal.ics?key=9f8e7d6c
    secret	endpoint	https://api.example.org/v1?units=metric&appid=77aa88bb99cc
    secret	radar	https://maps.example.org/tile?access_token=pk.abc123
    secret	hook	https://hooks.slack.com/services/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
    secret	discord	https://discord.com/api/webhooks/123456789012345678/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-AbCdEfGh
    secret	blob	https://store.example.net/c/f?sv=2026-01-01&sig=a%2Fb%3D
    secret	download	https://bucket.example.net/f?X-Amz-Signature=0a1b2c3d&X-Amz-Expires=60
    secret	stream	rtsp://admin:camera1@192.168.1.20/live
    secret	ftp	ftp://web:upload@ftp.example.org/
    secret	license	ABCD-EFGH-IJKL-MNOP
    secret	licenseKey	1234-5678-90AB-CDEF
    secret	license_key	XKDJ2-9SLQP-7MZT4-RW8VB-3NKDJ
    secret	serialNumber	XKDJ2-9SLQP-7MZT4-RW8VB
    secret	serial	PRO-1A2B-3C4D-5E6F
    secret	registrationCode	7Q2L-9XMV-4TRB-8NKD
    secret	productKey	VK7JG-NPHTM-C97JM-9MPGT-3V66T
    secret	activation_code	4F7K-2L9M-8N1P
    secret	unlockCode	QW12-ER34-TY56
    secret	pin	1234
    secret	cardPin	0042
    secret	otp	123456
    secret	totp_seed	JBSWY3DPEHPK3PXP
    secret	otpauth	otpauth://totp/Example:me?secret=JBSWY3DPEHPK3PXP&issuer=Example
    secret	recoveryCode	a1b2-c3d4-e5f6
    secret	recovery_phrase	legal winner thank year wave sausage worth useful legal winner thank yellow
    secret	mnemonic	abandon ability able about above absent absorb abstract absurd abuse access accident
    secret	seedPhrase	zoo zone zero young you yellow year yard wrong write wrist world
    secret	passphrase	open sesame
    secret	gpg.passphrase	open sesame two
    secret	passcode	4711
    secret	keystorePassword	changeit
    secret	encryption_key	k9
    secret	encryptionKey	00ff
    secret	masterKey	deadbeef
    secret	deployKey	zzz
    secret	sshKey	yyy
    secret	storageKey	b64
    secret	accessKey	minio
    secret	secretAccessKey	minio123
    secret	credentials	jo:geheim
    secret	basicAuth	am86Z2VoZWlt
    secret	auth	Basic am86Z2VoZWlt
    secret	Authorization	Bearer abc.def
    secret	header	Authorization: Bearer 0a1b2c3d4e5f
    secret	_authToken	11112222
    secret	//registry.example.org/:_authToken	npm-legacy
    secret	_auth	am86Z2VoZWlt
    secret	cookie	sid=abc; theme=dark
    secret	sessionId	9d8c7b6a
    secret	session_id	0x77
    secret	PHPSESSID	r2t5uvjq435r4q7ib3vtdjq120
    secret	csrf	eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln
    secret	idToken	eyJraWQiOiIxIn0.eyJhdWQiOiJhIn0.c2ln
    secret	note	wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLEKEY1
    secret	value	9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    secret	blobData	q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ
    secret	hashedPassword	$2b$12$KIXQeLq7m0uYVb8nM1zB5uO3yF6jD0sG2pA9eKhT2kQ9wL4xV8nM1
    secret	shadow	$6$rounds=5000$saltsalt$Ab3De5Gh7Jk9Mn1Pq3St5Vw7Xy9
    secret	age	AGE-SECRET-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L0QQPZRY9X8GF2TVDW0
    secret	wg.PrivateKey	aGVsbG8gd29ybGQgdGhpcyBpcyAzMiBieXRlcyEhISE=
    secret	PresharedKey	aGVsbG8gd29ybGQgdGhpcyBpcyAzMiBieXRlcyEhISE=
    secret	snmp_community_secret	public2
    secret	bot.apikey	k
    secret	mailgunKey	key-0a1b2c3d4e5f60718293a4b5c6d7e8f9
    secret	Passwort	geheim
    secret	motDePasse	secret2
    secret	contraseña	clave
    open	editor.fontSize	14
    open	editor.fontFamily	JetBrains Mono
    open	editor.tokenColorCustomizations	monokai
    open	tokenColors	dark
    open	editor.semanticTokenColorCustomizations.enabled	yes
    open	tokenColorTheme	Solarized
    open	tokenizer	fast
    open	tokenizerPath	/usr/share/models/tok.json
    open	maxTokens	4096
    open	max_tokens	2048
    open	tokenLimit	many
    open	tokens_per_minute	high
    open	editor.bracketPairColorization.enabled	on
    open	secretSanta	2026-12-06
    open	secretSantaName	Rudolf
    open	secretGarden.level	3
    open	passwordManager	KeePass
    open	passwordManager.path	/Applications/KeePassXC.app
    open	showPasswordStrength	always
    open	password.rememberDays	thirty
    open	rememberPasswords	ask
    open	security.passwordPolicy	strict
    open	passwordFieldWidth	wide
    open	askForPassword	startup
    open	keyboard	qwertz
    open	keyboardLayout	de-nodeadkeys
    open	keybindings	vim
    open	keyRepeat	fast
    open	hotkey	Ctrl+Shift+K
    open	shortcutKey	F12
    open	key	value
    open	primaryKey	id
    open	keyColor	#FF0000
    open	keymap	Emacs
    open	monkey	banana
    open	keynote.theme	Gradient
    open	pinned	sidebar
    open	pinnedTabs	left
    open	pinTab	auto
    open	spinningCursor	off
    open	mapPinColor	red
    open	pinterest.board	gardens
    open	passengers	two
    open	compassMode	north
    open	bypassProxy	localhost
    open	passThrough	on
    open	passiveMode	ftp
    open	author	Jo Field
    open	authority	root CA
    open	authors	Jo, Kim
    open	authMethod	oauth2
    open	auth.provider	github
    open	authType	password
    open	authenticationMethod	publickey
    open	credential.helper	osxkeychain
    open	credentialHelper	store
    open	credentialsFile	~/.netrc
    open	tokenFile	/run/token
    open	password_file	/etc/app/pw
    open	secretName	db-login
    open	secretsPath	/run/secrets
    open	secrets.provider	vault
    open	privateKeyPath	~/.ssh/id_ed25519
    open	private_key_file	/etc/ssl/private/app.pem
    open	identityFile	~/.ssh/id_rsa
    open	sshKeyPath	~/.ssh/work
    open	publicKey	ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN/Cr3JXqmLW7u+g9pTh+wyqDHpSQEIQczXkVx9q jo@desk
    open	signingKey	ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK0wmN/Cr3JXqmLW7u+g9pTh+wyqDHpSQEIQczXkVx9q
    open	user.signingkey	0x1234ABCD
    open	cert	-----BEGIN CERTIFICATE-----
    open	pgp	-----BEGIN PGP PUBLIC KEY BLOCK-----
    open	pub	-----BEGIN PUBLIC KEY-----
    open	commit	9fceb02d0ae598e95dc970b74767f19372d61af8
    open	git.lastCommit	1a410efbd13591db07496601ebc7a059dd55cfe9
    open	revision	d670460b4b4aece5915caf5c68d12f560a9fe3e4
    open	rev	83baae61804e65cc73a7201a7252750c76066a30
    open	submoduleHash	a3f5c9e1b7d2f4a6c8e0b1d3f5a7c9e1b3d5f7a9
    open	sha256	9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    open	checksum	e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
    open	etag	d41d8cd98f00b204e9800998ecf8427e
    open	md5	d41d8cd98f00b204e9800998ecf8427e
    open	integrity	sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
    open	digest	sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
    open	fingerprint	SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
    open	buildId	20261121T080000Z-desktop-amd64
    open	machineId	6f9619ff8b86d011b42d00cf4fc964ff
    open	deviceUUID	6F9619FF-8B86-D011-B42D-00CF4FC964FF
    open	profile.guid	{574e775e-4f2a-5b96-ac1e-a2962a402336}
    open	defaultProfile	{61c54bbd-c2c6-5271-96e7-009a87ff44bf}
    open	telemetry.machineId	c0a80101-7f00-4001-8000-00c04fd430c8
    open	window.id	0000000000000000000000000000000000000001
    open	color	#FFFFFF4D
    open	accent	0xFF3A3A3A
    open	palette	000000:cd0000:00cd00:cdcd00:0000ee
    open	path	/Users/jo/Documents/Projects2026/Notes.txt
    open	python.defaultInterpreterPath	/opt/homebrew/bin/python3.12
    open	java.home	/Library/Java/JavaVirtualMachines/temurin-21.jdk/Contents/Home
    open	bundle	com.example.application2026.Helper
    open	NSNavLastRootDirectory	~/Desktop
    open	SUFeedURL	https://example.org/appcast.xml
    open	url	https://example.org/?q=keyboard&page=2
    open	search	https://example.org/search?q=%s&hl=en
    open	homepage	https://example.org/users/jo
    open	avatar	https://example.org/u/9fceb02d?s=80
    open	remote.origin.url	git@git.example.org:team/app.git
    open	remote.url	https://git.example.org/team/app.git
    open	sshRemote	ssh://git@git.example.org:22/team/app.git
    open	webdav	https://jo@dav.example.org/files
    open	proxyServer	http://proxy.example.org:8080
    open	database	postgres://localhost/app
    open	dsn	postgres://app@db.local:5432/app?sslmode=require
    open	socket	unix:///var/run/docker.sock
    open	mail	jo@example.org
    open	api.url	https://api.example.org/v2
    open	apiVersion	v1beta2
    open	apiKeyHeader	X-Api-Key
    open	license	MIT
    open	licenseType	Apache-2.0
    open	license.header	Copyright 2026
    open	licensePath	LICENSE.txt
    open	serialPort	/dev/ttyUSB0
    open	serialize	json
    open	serial.baud	115200
    open	series	2026
    open	registration	open
    open	productName	Editor Pro
    open	activationFunction	relu
    open	sessionTimeout	30m
    open	session.restore	last
    open	restoreSession	always
    open	cookies	block
    open	cookiePolicy	strict
    open	acceptCookies	third-party
    open	bearerColor	blue
    open	jwtAlgorithm	HS256
    open	otpDigits	six
    open	seed	4711
    open	randomSeed	lucky
    open	salt	sea
    open	encryption	aes-256-gcm
    open	encryptionMethod	chacha20-poly1305
    open	cipher	ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256
    open	hash	sha256
    open	wifi.ssid	Garden
    open	wpa.keyMgmt	WPA-PSK
    open	key-mgmt	wpa-psk
    open	psk-flags	agent
    open	title	The quick brown fox jumps over 13 dogs
    open	greeting	Hello World 2026, welcome!
    open	dateFormat	yyyy-MM-dd'T'HH:mm:ssZ
    open	prompt	\u@\h:\w\$
    open	PS1	[\u@\h \W]\$
    open	regex	^[A-Za-z0-9+/=]{20,}$
    open	locale	de_CH.UTF-8
    open	timezone	Europe/Zurich
    open	theme	One Dark Pro Darker 2026
    open	extensions.ignore	ms-python.vscode-pylance-2026.1.1
    open	files.exclude	**/node_modules/**
    open	className	AbstractSingletonProxyFactoryBean2
    open	module	SyncKitStorageBackendV2Factory
    open	function	getUserById2AndThenUpdateAll
    open	ticket	PROJECT-12345
    open	isbn	978-3-16-148410-0
    open	version	1.2.3-beta.4+build.20261121
    open	image	registry.example.org/team/app:1.2.3
    open	data	AAEC
    open	frame	100 200 800 600 0 0 2560 1415
    open	mac	00:1A:2B:3C:4D:5E
    open	ip6	2001:0db8:85a3:0000:0000:8a2e:0370:7334
    open	latlon	47.3769,8.5417
    open	phone	+41 44 000 00 00
    open	cursor	eyJsZWZ0IjoxfQ
    """#
}
