import Formats
import Foundation
import PluginKit

/// The beacons, tones and north of a workspace, in the apps' files. Two sessions may change them at once.
struct BeaconStore: Sendable {
    private let folder: URL
    private static let locations = "locations.json"
    private static let tones = "tones.json"
    private static let north = "north.json"
    private static let lock = ".beacons.lock"

    init(_ context: Context) { folder = context.workspace }

    /// All of it.
    func load() throws -> BeaconSet { try read().set }

    private struct Contents {
        var set: BeaconSet
        var bytes: [String: Data] = [:]
    }

    private func read() throws -> Contents {
        let standard = try ToneFile.tones(in: Data(StandardTones.json.utf8))
        var contents = Contents(set: BeaconSet(tones: standard))
        for name in [Self.locations, Self.tones, Self.north] { contents.bytes[name] = try bytes(name) }
        if let data = contents.bytes[Self.locations] {
            contents.set.beacons = try parsed(Self.locations) { try LocationFile.beacons(in: data) }
        }
        if let data = contents.bytes[Self.tones] {
            let own = try parsed(Self.tones) { try ToneFile.tones(in: data) }
            // A file of an app has its own copies of the standard tones, under other identifiers.
            let missing = standard.filter { known in
                !own.contains { $0.id == known.id || $0.name == known.name }
            }
            contents.set.tones = own + missing
        }
        if let data = contents.bytes[Self.north] {
            contents.set.north = try parsed(Self.north) { try NorthFile.north(in: data) }
        }
        return contents
    }

    private func bytes(_ name: String) throws -> Data? {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw CommonErrors.fileAccess("\(name) cannot be read")
        }
    }

    private func parsed<T>(_ name: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let fault as JSONFault {
            throw fault.error(
                BeaconErrors.file, file: name, fix: "correct it, or move it away: nothing is overwritten")
        }
    }

    // MARK: Changing

    /// Changes what there is, in one step that other sessions see whole, and remembers how to take it back. `body` gives
    /// a result and what was done, in words.
    func change<T>(
        in context: Context, _ body: (inout BeaconSet) throws -> (T, done: String)
    ) throws -> T {
        try locked {
            let before = try read()
            var set = before.set
            let (result, done) = try body(&set)
            var files: [(name: String, before: Data?, after: Data)] = []
            if set.beacons != before.set.beacons {
                let old = before.bytes[Self.locations]
                files.append((Self.locations, old, try LocationFile.data(set.beacons, over: old)))
            }
            if set.tones != before.set.tones {
                let old = before.bytes[Self.tones]
                files.append((Self.tones, old, try ToneFile.data(set.tones, over: old)))
            }
            if set.north != before.set.north {
                files.append((Self.north, before.bytes[Self.north], NorthFile.data(set.north)))
            }
            try context.checkCancelled()
            // Each change touches one file, so that it is whole when that file is.
            for file in files { try write(file.after, file.name) }
            guard !files.isEmpty else { return result }
            context.journal.record(done) { [files] in try takeBack(files) }
            return result
        }
    }

    private func takeBack(_ files: [(name: String, before: Data?, after: Data)]) throws {
        try locked {
            for file in files where try bytes(file.name) != file.after {
                throw BeaconErrors.changedSince("\(file.name) was changed by another session")
            }
            for file in files {
                if let before = file.before {
                    try write(before, file.name)
                } else {
                    try? FileManager.default.removeItem(at: folder.appendingPathComponent(file.name))
                }
            }
        }
    }

    private func write(_ data: Data, _ name: String) throws {
        try OutputFile.write(data, to: folder.appendingPathComponent(name), force: true)
    }

    /// One session at a time.
    private func locked<T>(_ body: () throws -> T) throws -> T {
        let path = folder.appendingPathComponent(Self.lock).path
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw CommonErrors.fileAccess("\(Self.lock) cannot be made: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw CommonErrors.fileAccess(
                    "the beacons cannot be locked: \(String(cString: strerror(errno)))")
            }
        }
        return try body()
    }
}
