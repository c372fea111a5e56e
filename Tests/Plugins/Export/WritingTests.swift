import Foundation
import PluginTestKit
import Testing

/// Files that cannot be written, and files that already exist.
struct WritingTests {
    private static let formats = ["markdown", "gpx", "pdf", "geojson", "kml", "community"]

    @Test(arguments: formats)
    func anExistingFileStays(format: String) async throws {
        let test = try TestSession.exporting(Walk.files.merging(["old": Data("old".utf8)]) { $1 })
        await test.run("let w = import walk.gpx --dry-run")
        #expect(await test.code("$w | export old --as \(format)") == "E-FILE-EXISTS")
        #expect(try test.text("old") == "old")
        try await test.value("$w | export old --as \(format) --force")
        #expect(try test.text("old") != "old")
    }

    @Test(arguments: formats)
    func aFolderThatIsNotThereOrIsAFile(format: String) async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        #expect(await test.code("$w | export none/a --as \(format)") == "E-FILE-ACCESS")
        #expect(await test.code("$w | export walk.gpx/a --as \(format)") == "E-FILE-ACCESS")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted().filter {
                $0 != "workspace"
            } == ["walk.gpx"])
    }

    /// Nobody may write to the folder of processes, not even the superuser.
    @Test(arguments: formats)
    func aFolderThatNobodyMayWriteTo(format: String) async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        let shown = await test.run("$w | export /proc/a --as \(format)")
        #expect(shown.contains("error E-FILE-ACCESS: a cannot be written"), "\(shown)")
    }

    @Test(arguments: formats)
    func devicesAndFoldersAreNotReplaced(format: String) async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        for place in ["/dev/full", "workspace"] {
            #expect(await test.code("$w | export \(place) --as \(format)") == "E-FILE-EXISTS")
            let shown = await test.run("$w | export \(place) --as \(format) --force")
            #expect(shown.contains("is not a regular file"), "\(shown)")
        }
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
                == .typeCharacterSpecial)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func aFolderThatIsNotWritable() async throws {
        let test = try TestSession.exporting(Walk.files)
        await test.run("let w = import walk.gpx --dry-run")
        let folder = test.url("closed")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        #expect(await test.code("$w | export closed/a.gpx") == "E-FILE-ACCESS")
    }

    /// Whether a file system of our own can be mounted.
    private static let canMount: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        guard mount("tmpfs", folder.url.path, "tmpfs", 0, "size=64k") == 0 else { return false }
        umount(folder.url.path)
        return true
    }()

    @Test(.enabled(if: canMount, "a full disk cannot be mounted here"), arguments: ["pdf", "gpx"])
    func aFullDisk(format: String) async throws {
        let points = (0..<3000).map {
            "<trkpt lat=\"46.\(100_000 + $0)\" lon=\"7.9\"><ele>\($0)</ele></trkpt>"
        }
        let gpx = "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        let test = try TestSession.exporting(["a.gpx": Data(gpx.utf8)])
        await test.run("let w = import a.gpx --dry-run")
        let disk = test.url("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
        #expect(mount("tmpfs", disk.path, "tmpfs", 0, "size=16k") == 0)
        defer { umount(disk.path) }
        let old = disk.appendingPathComponent("old")
        try Data("old".utf8).write(to: old)
        #expect(await test.code("$w | export disk/new --as \(format)") == "E-FILE-ACCESS")
        #expect(await test.code("$w | export disk/old --as \(format) --force") == "E-FILE-ACCESS")
        // Nothing is left behind, and the old file is whole.
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["old"])
        #expect(try Data(contentsOf: old) == Data("old".utf8))
    }
}
