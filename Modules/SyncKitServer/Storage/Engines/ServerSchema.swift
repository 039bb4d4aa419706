/// The tables of a server, version by version: a new file gets all of them, an older one what it lacks.
///
/// Times are milliseconds since 1970. Of secrets only SHA-256 is kept. A feed is a domain of an
/// account; cursors number what comes into any feed and are never given twice.
enum ServerSchema {
  /// What leads from each version to the next; the first makes an empty file one of version 1.
  static let versions = [
    tables, origins, hosting, pages, moves, objects, outlines, buckets, cards,
  ]

  private static let tables = """
    CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counters VALUES('cursor', 0), ('ended', 0);
    CREATE TABLE epochs(
      id INTEGER PRIMARY KEY, epoch TEXT NOT NULL UNIQUE, start INTEGER NOT NULL);

    CREATE TABLE accounts(
      id TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL,
      maximum_bytes INTEGER, maximum_records INTEGER,
      bytes INTEGER NOT NULL DEFAULT 0, records INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE devices(
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, id TEXT NOT NULL,
      name TEXT NOT NULL, joined INTEGER NOT NULL, seen INTEGER,
      PRIMARY KEY(account, id)) WITHOUT ROWID;
    CREATE TABLE tokens(
      id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      device TEXT, digest BLOB NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL,
      created INTEGER NOT NULL, expires INTEGER, idle INTEGER, used INTEGER) WITHOUT ROWID;
    CREATE INDEX tokens_account ON tokens(account, device);
    CREATE TABLE codes(
      digest BLOB PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      kind TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX codes_account ON codes(account);
    CREATE TABLE roots(
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE, id TEXT NOT NULL,
      PRIMARY KEY(account, id)) WITHOUT ROWID;
    CREATE TABLE audit(
      id INTEGER PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      at INTEGER NOT NULL, device TEXT, action TEXT NOT NULL, subject TEXT NOT NULL,
      address TEXT NOT NULL);
    CREATE INDEX audit_account ON audit(account);

    CREATE TABLE feeds(
      id INTEGER PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      domain TEXT NOT NULL, UNIQUE(account, domain));
    CREATE TABLE zones(
      id INTEGER PRIMARY KEY, feed INTEGER NOT NULL REFERENCES feeds(id) ON DELETE CASCADE,
      zone TEXT NOT NULL, erased INTEGER NOT NULL DEFAULT 0, UNIQUE(feed, zone));
    CREATE INDEX zones_erased ON zones(feed) WHERE erased=1;
    CREATE TABLE confirmations(
      zone INTEGER NOT NULL REFERENCES zones(id) ON DELETE CASCADE, replica BLOB NOT NULL,
      kept BLOB NOT NULL, PRIMARY KEY(zone, replica)) WITHOUT ROWID;
    CREATE TABLE series(
      zone INTEGER NOT NULL REFERENCES zones(id) ON DELETE CASCADE, series BLOB NOT NULL,
      account TEXT NOT NULL, PRIMARY KEY(zone, series)) WITHOUT ROWID;
    CREATE TABLE segments(
      cursor INTEGER PRIMARY KEY, feed INTEGER NOT NULL REFERENCES feeds(id) ON DELETE CASCADE,
      zone INTEGER NOT NULL REFERENCES zones(id) ON DELETE CASCADE, series BLOB NOT NULL,
      first INTEGER NOT NULL, last INTEGER NOT NULL, head BLOB NOT NULL, size INTEGER NOT NULL,
      records INTEGER NOT NULL, UNIQUE(zone, series, first, last, head));
    CREATE INDEX segments_feed ON segments(feed);
    CREATE INDEX segments_zone ON segments(zone);
    CREATE TABLE contents(
      cursor INTEGER PRIMARY KEY REFERENCES segments(cursor) ON DELETE CASCADE,
      bytes BLOB NOT NULL);

    CREATE TABLE shares(
      id TEXT PRIMARY KEY, zone INTEGER NOT NULL REFERENCES zones(id) ON DELETE CASCADE,
      title TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0)
      WITHOUT ROWID;
    CREATE UNIQUE INDEX shares_running ON shares(zone) WHERE ended=0;
    CREATE INDEX shares_zone ON shares(zone);
    CREATE TABLE participants(
      id TEXT PRIMARY KEY, share TEXT NOT NULL REFERENCES shares(id) ON DELETE CASCADE,
      account TEXT REFERENCES accounts(id) ON DELETE CASCADE, name TEXT NOT NULL,
      role TEXT NOT NULL, state TEXT NOT NULL, granted INTEGER NOT NULL DEFAULT 0,
      secret TEXT UNIQUE, digest BLOB, expires INTEGER, created INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX participants_share ON participants(share);
    CREATE INDEX participants_account ON participants(account);
    """

  /// Version 2: what made what, so that it ends with its maker.
  ///
  /// `maker` is the token by which something was made, `origin` the device behind that token, directly or
  /// through tokens that it made; both are null for what the host made. `until` is the end of a token
  /// that no use postpones, and of a code that of the tokens it leads to.
  private static let origins = """
    ALTER TABLE tokens ADD COLUMN maker TEXT;
    ALTER TABLE tokens ADD COLUMN origin TEXT;
    ALTER TABLE tokens ADD COLUMN until INTEGER;
    CREATE INDEX tokens_maker ON tokens(maker);
    ALTER TABLE codes ADD COLUMN maker TEXT;
    ALTER TABLE codes ADD COLUMN origin TEXT;
    ALTER TABLE codes ADD COLUMN until INTEGER;
    ALTER TABLE devices ADD COLUMN maker TEXT;
    ALTER TABLE devices ADD COLUMN origin TEXT;
    ALTER TABLE participants ADD COLUMN maker TEXT;
    ALTER TABLE participants ADD COLUMN origin TEXT;
    ALTER TABLE audit ADD COLUMN token TEXT;
    ALTER TABLE audit ADD COLUMN name TEXT;
    """

  /// Version 3: what a host does with accounts, and by whom a segment was stored.
  ///
  /// That is the device, or the token where it is no device's own, with the device that made it. `hosting` outlives the accounts that it names.
  private static let hosting = """
    ALTER TABLE accounts ADD COLUMN locked INTEGER;
    ALTER TABLE accounts ADD COLUMN maximum_devices INTEGER;
    ALTER TABLE codes ADD COLUMN id TEXT;
    UPDATE codes SET id=lower(hex(substr(digest, 1, 8)));
    ALTER TABLE segments ADD COLUMN device TEXT;
    ALTER TABLE segments ADD COLUMN token TEXT;
    CREATE TABLE hosting(
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, action TEXT NOT NULL, account TEXT NOT NULL,
      name TEXT NOT NULL, detail TEXT NOT NULL);
    """

  /// Version 4: how the host gets to the pages of administration, and from where something was done.
  ///
  /// `address` is `local` for the commands. A session is valid for pages of its `origin` only.
  private static let pages = """
    CREATE TABLE admin_links(
      digest BLOB PRIMARY KEY, created INTEGER NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE admin_sessions(
      digest BLOB PRIMARY KEY, origin TEXT NOT NULL, created INTEGER NOT NULL,
      seen INTEGER NOT NULL) WITHOUT ROWID;
    ALTER TABLE hosting ADD COLUMN address TEXT NOT NULL DEFAULT 'local';
    """

  /// Version 5: where the data were moved, or came from; see ``ServerMove``.
  private static let moves = """
    CREATE TABLE moves(
      id TEXT PRIMARY KEY, role TEXT NOT NULL, place TEXT NOT NULL, begun INTEGER NOT NULL,
      finished INTEGER) WITHOUT ROWID;
    """

  /// Version 6: bodies in a bucket, by the names of their objects; see `ServerDatabase.keepLargeBodies(in:log:)`.
  ///
  /// A body has a row in `contents` or in `objects`. An object without a cursor is being stored while `used` is 0, and to
  /// be removed afterwards.
  private static let objects = """
    CREATE TABLE objects(
      name TEXT PRIMARY KEY, account TEXT NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL,
      claimed INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0,
      cursor INTEGER UNIQUE REFERENCES segments(cursor) ON DELETE SET NULL) WITHOUT ROWID;
    CREATE INDEX objects_loose ON objects(hash) WHERE cursor IS NULL;
    """

  /// Version 7: accounts are found by their names; see ``AccountName/outline(_:)``.
  ///
  /// Names beyond plain ASCII have none until the account is renamed, and are compared one by one.
  private static let outlines = """
    ALTER TABLE accounts ADD COLUMN outline TEXT;
    UPDATE accounts SET outline=lower(name)
      WHERE name NOT GLOB '*[^ -~]*' AND name NOT LIKE '%  %' AND name=trim(name);
    CREATE INDEX accounts_outline ON accounts(outline);
    CREATE INDEX accounts_created ON accounts(created, id);
    """

  /// Version 8: what is being stored counts for its account, and the bucket is known.
  ///
  /// `buckets` has one row at most, with the bucket in which all objects are; see `ServerDatabase.keepLargeBodies(in:log:)`.
  private static let buckets = """
    ALTER TABLE objects ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX objects_open ON objects(account) WHERE cursor IS NULL AND used=0;
    CREATE TABLE buckets(location TEXT PRIMARY KEY, begun INTEGER NOT NULL) WITHOUT ROWID;
    """

  /// Version 9: what a guest has shown the owner of an encrypted vault of its keys; the server cannot read it.
  private static let cards = """
    ALTER TABLE participants ADD COLUMN card TEXT;
    """
}
