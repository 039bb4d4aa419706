public import SyncKit

extension DomainSchema {
  /// The collections of the domain `media`.
  ///
  /// | Collection | Id | Parent | Holds |
  /// |---|---|---|---|
  /// | `list` | UUID | – | a list with its own zone |
  /// | `item` | ``MediaID/item(in:type:tmdb:imdb:)``, else UUID | list | a film or series in a list |
  /// | `watch` | ``MediaID/watch(of:on:episode:)`` | item | a watch event of it or an episode |
  /// | `episode` | ``MediaID/episode(of:season:number:)`` | item | an episode of a series |
  /// | `note` | UUID | item or episode | a note that others may read |
  /// | `privateNote` | UUID | – | a note that never leaves the device |
  ///
  /// Each record type lists its fields: ``MediaLibrary/SyncKit/RecordType``. Of a concurrent
  /// edit and deletion the newer one wins, in every collection.
  public static let media = DomainSchema(
    "media", [.list, .item, .watch, .episode, .note, .privateNote])
}

extension RecordType {
  /// A list: `name`, its place among the lists, and how this device shows it.
  ///
  /// | Field | Type | Meaning |
  /// |---|---|---|
  /// | `name` | string | 1 to 100 characters |
  /// | `order` | string | an ``OrderKey`` |
  /// | `about` | string | the purpose of the list |
  /// | `appId` | string | the id in the app's own files, when it is not the record's |
  /// | `created` | instant | the creation time in a file; the earliest wins |
  /// | `extra` | map | members of a document that this version does not know |
  /// | `colour` `icon` `isDefault` `isShared` | | of this device only |
  static let list = RecordType(
    .list, placement: .root, deleteRule: .newest,
    fields: [
      Field(.name, .string),
      Field(.order, .string),
      Field(.about, .string),
      Field(.appId, .string),
      Field(.created, .instant, policy: ExtremePolicy.min),
      Field(.extra, .map),
      Field(.colour, .string, isLocal: true),
      Field(.icon, .string, isLocal: true),
      Field(.isDefault, .bool, isLocal: true),
      Field(.isShared, .bool, isLocal: true),
    ])

  /// A film or a series in a list.
  ///
  /// | Field | Type | Meaning |
  /// |---|---|---|
  /// | `mediaType` | string | `movie` or `tv` |
  /// | `title` `originalTitle` `originalLanguage` `overview` | string | |
  /// | `year` | int | of the first release |
  /// | `tmdbId` `traktId` `tvdbId` | int | ids elsewhere; TMDB numbers films and series separately |
  /// | `imdbId` | string | such as `tt0133093` |
  /// | `letterboxdUri` | string | |
  /// | `appId` | string | the id in the app's own files, when it is not the record's |
  /// | `order` | string | an ``OrderKey``; ties are in the order of record ids |
  /// | `posterPath` `backdropPath` | string | paths at TMDB |
  /// | `runtime` | int | minutes |
  /// | group `score` | | `rating` (double), `scale` (int, the best rating), `ratedDate` (instant) |
  /// | group `viewing` | | `watched` (bool), `watchedDate` (instant) |
  /// | `watchStatus` | int | 0 current, 1 new, 2 paused, 3 maybe, 4 finished |
  /// | `lastWatched` | instant | the latest wins; written as a touch |
  /// | `currentSeason` `currentEpisode` | int | the current episode of a series |
  /// | `numberOfSeasons` `numberOfEpisodes` | int | |
  /// | `mikeRating` `lauraRating` | double | ratings of two people whom the app knows by name |
  /// | `voteAverage` `popularity` | double | at TMDB |
  /// | `voteCount` | int | |
  /// | `isFavorite` | bool | |
  /// | `likedStatus` | int | −1, 0 or 1 |
  /// | `status` `streamingService` `mediaCategory` | string | |
  /// | `releaseDate` `firstAirDate` `lastAirDate` | string | a day such as `1999-03-31` |
  /// | `startDate` | instant | when the person began |
  /// | `genres` `directors` | list | texts in the order of their source |
  /// | `tags` | set | a person's own |
  /// | `comment` | string | why it is in the list |
  /// | `customField1` `customField2` | string | |
  /// | `created` `extra` | | as with a list |
  ///
  /// The app's `rating` and `userRating` are `rating` with `scale` 10.
  static let item = RecordType(
    .item, placement: .parent, deleteRule: .newest, parents: [.list],
    fields: [
      Field(.title, .string), Field(.year, .int), Field(.mediaType, .string),
      Field(.order, .string),
      .group(.viewing, [Field(.watched, .bool), Field(.watchedDate, .instant)]),
      .group(
        .score, [Field(.rating, .double), Field(.scale, .int), Field(.ratedDate, .instant)]),
      Field(.watchStatus, .int), Field(.isFavorite, .bool), Field(.likedStatus, .int),
      Field(.tags, .set), Field(.comment, .string, policy: KeepBothPolicy()),
      Field(.tmdbId, .int), Field(.imdbId, .string), Field(.traktId, .int), Field(.tvdbId, .int),
      Field(.letterboxdUri, .string), Field(.appId, .string),
      Field(.originalTitle, .string), Field(.originalLanguage, .string),
      Field(.overview, .string), Field(.posterPath, .string), Field(.backdropPath, .string),
      Field(.runtime, .int), Field(.genres, .list), Field(.directors, .list),
      Field(.status, .string), Field(.releaseDate, .string), Field(.firstAirDate, .string),
      Field(.lastAirDate, .string), Field(.numberOfSeasons, .int), Field(.numberOfEpisodes, .int),
      Field(.voteAverage, .double), Field(.voteCount, .int), Field(.popularity, .double),
      Field(.lastWatched, .instant, policy: ExtremePolicy.max, weight: .touch),
      Field(.currentSeason, .int), Field(.currentEpisode, .int), Field(.startDate, .instant),
      Field(.streamingService, .string), Field(.mediaCategory, .string),
      Field(.mikeRating, .double), Field(.lauraRating, .double),
      Field(.customField1, .string), Field(.customField2, .string),
      Field(.created, .instant, policy: ExtremePolicy.min), Field(.extra, .map),
    ])

  /// A watch event of a film or an episode: written once, one record per viewing.
  ///
  /// | Field | Type | Meaning |
  /// |---|---|---|
  /// | `date` | string | the day, such as `2026-11-21` |
  /// | `at` | instant | the time, if known |
  /// | `season` `number` | int | the episode of a series |
  /// | `name` | string | the episode's name, where its number is unknown |
  /// | `rewatch` | bool | whether it was watched before |
  /// | group `score` | | `rating` and `scale`, as given that day |
  /// | `review` | string | |
  /// | `tags` | set | |
  /// | `source` | string | `letterboxd`, `trakt`, `app`; unset when entered by hand |
  static let watch = RecordType(
    .watch, placement: .parent, deleteRule: .newest, parents: [.item],
    fields: [
      Field(.date, .string, policy: ImmutablePolicy()), Field(.at, .instant),
      Field(.season, .int, policy: ImmutablePolicy()),
      Field(.number, .int, policy: ImmutablePolicy()),
      Field(.name, .string), Field(.rewatch, .bool),
      .group(.score, [Field(.rating, .double), Field(.scale, .int)]),
      Field(.review, .string, policy: KeepBothPolicy()), Field(.tags, .set),
      Field(.source, .string),
    ])

  /// An episode of a series.
  ///
  /// | Field | Type | Meaning |
  /// |---|---|---|
  /// | `season` `number` | int | season 0 is for specials |
  /// | `name` `overview` `stillPath` | string | |
  /// | `airDate` | string | a day |
  /// | `runtime` | int | minutes |
  /// | group `viewing` | | `watched` (bool), `watchedDate` (instant) |
  /// | group `score` | | `rating` (double), `scale` (int), `ratedDate` (instant) |
  /// | `isStarred` | bool | |
  /// | `tmdbId` | int | the episode's own |
  /// | `appId` `created` `extra` | | as with an item |
  static let episode = RecordType(
    .episode, placement: .parent, deleteRule: .newest, parents: [.item],
    fields: [
      Field(.season, .int), Field(.number, .int), Field(.name, .string),
      .group(.viewing, [Field(.watched, .bool), Field(.watchedDate, .instant)]),
      .group(
        .score, [Field(.rating, .double), Field(.scale, .int), Field(.ratedDate, .instant)]),
      Field(.isStarred, .bool), Field(.airDate, .string), Field(.runtime, .int),
      Field(.overview, .string), Field(.stillPath, .string), Field(.tmdbId, .int),
      Field(.appId, .string), Field(.created, .instant, policy: ExtremePolicy.min),
      Field(.extra, .map),
    ])

  /// A note on an item or an episode.
  ///
  /// Its `text` has at most 10,000 characters; `appId`, `created` and `extra` are as with an item. Of
  /// concurrent texts all are kept until a person chooses.
  static let note = RecordType(
    .note, placement: .parent, deleteRule: .newest, parents: [.item, .episode],
    fields: [
      Field(.noteText, .string, policy: KeepBothPolicy()), Field(.appId, .string),
      Field(.created, .instant, policy: ExtremePolicy.min), Field(.extra, .map),
    ])

  /// A private note: `ownerOnly` in the app.
  ///
  /// It is in the zone that never leaves the device, so that no remote learns its text, its size,
  /// its time or that it exists. `about` names its subject as `item/ID` or `episode/ID`; that is not a
  /// parent, since it is in another zone. `text`, `appId` and `created` are as with a note.
  static let privateNote = RecordType(
    .privateNote, placement: .local, deleteRule: .newest,
    fields: [
      Field(.noteText, .string), Field(.about, .string), Field(.appId, .string),
      Field(.created, .instant, policy: ExtremePolicy.min),
    ])
}
