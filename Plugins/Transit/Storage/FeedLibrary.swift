import Foundation
import PluginKit
import Synchronization
import TrailStores

/// The timetable of commands: the active store if it is one, else the workspace's own.
final class FeedLibrary: Sendable {
    private struct Opened: Sendable {
        var stamp: FileStamp
        var zone: String
        var language: String?
        var feed: Feed
    }

    private let opened = Mutex<Opened?>(nil)
    private let chosen = Mutex<String?>(nil)
    /// Replaced timetables, kept for `undo` until the session ends.
    private let replaced = Mutex<[URL]>([])

    /// The language of names; `nil` for those of the feed.
    var language: String? { chosen.withLock { $0 } }

    /// Chooses the language of names.
    func use(language: String?) { chosen.withLock { $0 = language } }

    /// The timetable. Throws `E-TRANSIT-NOFEED` if there is none, and `E-STORE-KIND` while a store of
    /// another kind is active.
    func feed(_ context: Context) throws -> Feed {
        guard let feed = try feed(context.activeStore(.transit), context) else {
            throw TransitErrors.noFeed(
                "there is no timetable",
                fix: "feed import FEED.zip, or store open gtfs.db; `sample` brings one to try")
        }
        return feed
    }

    /// The timetable as one of several sources of names and places; `nil` if there is none.
    func feedIfAny(_ context: Context) throws -> Feed? {
        try context.accompanyingStore(.transit).flatMap { try feed($0, context) }
    }

    private func feed(_ location: StoreLocation, _ context: Context) throws -> Feed? {
        let url = location.url
        guard let stamp = FileStamp(url) else {
            guard location.isOwn else {
                throw CommonErrors.fileMissing("\(url.lastPathComponent) no longer exists")
            }
            return nil
        }
        let zone = context.environment.timeZone
        let language = self.language
        return try opened.withLock { opened in
            // A replaced file has the same name but another identity.
            if let opened, opened.stamp == stamp, opened.language == language,
                opened.feed.isZoneKnown || opened.zone == zone.identifier
            {
                return opened.feed
            }
            if location.isOwn { TemporaryFiles.sweep(beside: url) }
            let feed = try Feed(url, isOwn: location.isOwn, fallback: zone, language: language)
            opened = Opened(stamp: stamp, zone: zone.identifier, language: language, feed: feed)
            return feed
        }
    }

    /// Keeps a replaced timetable until the session ends.
    func keep(_ url: URL) { replaced.withLock { $0.append(url) } }

    /// Closes the timetable and deletes the replaced ones.
    func close() {
        opened.withLock { $0 = nil }
        for url in replaced.withLock({ $0 }) { unlink(url.path) }
    }
}

/// The identity of a file, to detect that it was replaced.
private struct FileStamp: Equatable, Sendable {
    private let path: String
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init?(_ url: URL) {
        var info = stat()
        guard stat(url.path, &info) == 0 else { return nil }
        path = url.path
        device = UInt64(info.st_dev)
        file = UInt64(info.st_ino)
        size = Int64(info.st_size)
        seconds = info.st_mtim.tv_sec
        nanoseconds = info.st_mtim.tv_nsec
    }
}
