import Formats
import Foundation
import PluginKit

/// Beacons, tones and north, in the apps' files: those of the workspace, or open foreign ones. Two sessions
/// may change them concurrently.
///
/// Foreign locations use the tones that are open with them, else the standard ones; north has its default
/// setting there.
struct BeaconStore: Sendable {
    private let active: StoreLocation
    private let locations: URL?
    private let tones: URL?
    private let north: URL?
    private static let northName = "north.json"
    private static let lock = ".beacons.lock"

    /// The store for a command on beacons or tones. Throws `E-STORE-KIND` while a store of another kind is in use.
    init(_ context: Context, _ kind: StoreKind = .locations) throws {
        self.init(try context.activeStore(kind), context)
    }

    /// The store for names and maps; `nil` while a store of another kind is in use and none of
    /// this kind is open.
    static func accompanying(_ context: Context, _ kind: StoreKind = .locations) -> BeaconStore? {
        context.accompanyingStore(kind).map { BeaconStore($0, context) }
    }

    private init(_ active: StoreLocation, _ context: Context) {
        self.active = active
        locations = context.accompanyingStore(.locations)?.url
        tones = context.accompanyingStore(.tones)?.url
        north = active.isOwn ? context.workspace.appendingPathComponent(Self.northName) : nil
    }

    /// Reads all files.
    func load() throws -> BeaconSet { try read().set }

    private struct Contents {
        var set: BeaconSet
        var bytes: [URL: Data] = [:]
    }

    private func read() throws -> Contents {
        let standard = try ToneFile.tones(in: Data(StandardTones.json.utf8))
        var contents = Contents(set: BeaconSet(tones: standard))
        for url in [locations, tones, north].compactMap({ $0 }) { contents.bytes[url] = try bytes(url) }
        if let locations, let data = contents.bytes[locations] {
            contents.set.beacons = try parsed(locations) { try BeaconLocationFile.beacons(in: data) }
        }
        if let tones, let data = contents.bytes[tones] {
            let own = try parsed(tones) { try ToneFile.tones(in: data) }
            // An app's file has its own copies of the standard tones, under other identifiers.
            let missing = standard.filter { known in
                !own.contains { $0.id == known.id || $0.name == known.name }
            }
            contents.set.tones = own + missing
        }
        if let north, let data = contents.bytes[north] {
            contents.set.north = try parsed(north) { try NorthFile.north(in: data) }
        }
        return contents
    }

    /// The bytes of a file; `nil` if the workspace has none yet.
    private func bytes(_ url: URL) throws -> Data? {
        guard FileManager.default.fileExists(atPath: url.path) else {
            if active.isOwn { return nil }
            throw CommonErrors.fileMissing("\(url.lastPathComponent) no longer exists")
        }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
    }

    private func parsed<T>(_ url: URL, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let fault as JSONFault {
            throw fault.error(
                BeaconErrors.file, file: url.lastPathComponent,
                fix: "correct it or move it away; it is not overwritten")
        }
    }

    // MARK: Changing

    /// Changes the set atomically for other sessions, and records how to undo it. `body` returns a result
    /// and a description of the change.
    func change<T>(
        in context: Context, _ body: (inout BeaconSet) throws -> (T, done: String)
    ) throws -> T {
        if let entry = active.entry {
            // Documents of other programs are opened for reading only.
            throw StoreUseErrors.readOnly(
                "\(entry.name) is open for reading only",
                fix: "`store use` without a name returns to your own stores")
        }
        return try locked {
            let before = try read()
            var set = before.set
            let (result, done) = try body(&set)
            var files: [Change] = []
            if let locations, set.beacons != before.set.beacons {
                let old = before.bytes[locations]
                files.append(
                    Change(
                        url: locations, before: old,
                        after: try BeaconLocationFile.data(set.beacons, over: old)))
            }
            if let tones, set.tones != before.set.tones {
                let old = before.bytes[tones]
                files.append(Change(url: tones, before: old, after: try ToneFile.data(set.tones, over: old)))
            }
            if let north, set.north != before.set.north {
                files.append(
                    Change(url: north, before: before.bytes[north], after: NorthFile.data(set.north)))
            }
            try context.checkCancelled()
            // Each change touches one file, so it is as atomic as that file.
            for file in files { try file.write(file.after) }
            guard !files.isEmpty else { return result }
            context.journal.record(done) { [files] in try revert(files) }
            return result
        }
    }

    private func revert(_ files: [Change]) throws {
        try locked {
            for file in files where try bytes(file.url) != file.after {
                throw BeaconErrors.changedSince(
                    "\(file.url.lastPathComponent) was changed by another session")
            }
            for file in files {
                if let before = file.before {
                    try file.write(before)
                } else {
                    FileManager.default.discard(file.url)
                }
            }
        }
    }

    /// A file with its bytes before and after a change.
    private struct Change {
        let url: URL
        let before: Data?
        let after: Data

        func write(_ data: Data) throws { try OutputFile.write(data, to: url, force: true) }
    }

    /// One session at a time.
    private func locked<T>(_ body: () throws -> T) throws -> T {
        let lock = try FileLock(active.url.deletingLastPathComponent().appendingPathComponent(Self.lock))
        return try withExtendedLifetime(lock) { try body() }
    }
}
