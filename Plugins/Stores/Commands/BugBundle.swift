import Foundation
import PluginKit
import TrailStores

/// `bug bundle`
struct BugBundle: CommandProvider {
    var name: String { "bug bundle" }

    var command: Command {
        Command(
            name, "pack the session and its files into one archive",
            details: """
                The archive contains the entries so far as a notebook (bug.md) and copies of the files they name. Stores are \
                trimmed to the rows that matter: those that affect the last error, or else the last entry, \
                found by repeated runs of the notebook with fewer rows. Then the results are \
                rewritten, and the notebook is run once more to check that it passes. Of the stores in your workspace when \
                the session started, those that affect the entries are packed, unless the session has \
                changed them; the notebook starts with `store adopt` for each. `remarks` lists what was not packed and, \
                with --blank-names and --blank-photos, what could not be blanked. Entries are not \
                changed, except for names from the stores.
                """,
            .positional("file", .outputFile, "archive to write, a .zip file"),
            .flag("whole", "keep all rows of the stores"),
            .flag("blank-photos", "replace photos by grey pictures"),
            .flag("blank-names", "replace names by numbered ones, and letters of notes by x"),
            .flag("force", "overwrite an existing file"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a session of one entry", "bug bundle one.zip | get passes", after: ["1 + 1"],
                    gives: "true")
            ],
            searchTerms: [
                "failing case", "send to the developers", "share a bug",
                "bug report", "send a problem", "report", "archive", "share", "reproduce", "report a bug",
                "attach files", "zip", "send to support",
            ]
        ) { context, file, whole, photos, names, force in
            guard let record = context.record else {
                throw BundleErrors.empty("this session is not recorded")
            }
            try StagedFile.checkFree(file, force: force, parameter: "file")
            var options = BundleBuilder.Options()
            options.isTrimmed = !whole
            options.blanking = Blanking(names: names, photos: photos)
            let outcome = try await BundleFolder.using(context) { folder in
                try await BundleBuilder(context, record, folder: folder, options: options).build()
            }
            try OutputFile.write(outcome.data, to: file, force: force, parameter: "file")
            return .record(
                Record([
                    ("file", .text(file.lastPathComponent)), ("bytes", .integer(outcome.data.count)),
                    ("entries", .integer(outcome.entries)), ("files", .integer(outcome.files)),
                    ("rows", outcome.all > 0 ? .text("\(outcome.kept) of \(outcome.all)") : .nothing),
                    ("changed", .integer(outcome.changed)), ("passes", .boolean(outcome.passes)),
                    ("own", .list(outcome.own.map { .text($0) })),
                    ("remarks", .list(outcome.remarks.map { .text($0) })),
                ]))
        }
    }
}

/// `bug open`
struct BugOpen: CommandProvider {
    var name: String { "bug open" }

    var command: Command {
        Command(
            name, "unpack a bug bundle into a new folder",
            details:
                "Nothing is run. `notebook run FOLDER/bug.md` runs it; `rutter test FOLDER` also compares.",
            .positional("file", .inputFile, "bundle"),
            .option("out", .outputFile, "folder to create; default: named like the bundle"),
            output: .rows(["file", "bytes"]), effect: .changes,
            examples: [
                .init(
                    "its files", "bug open one.zip | select file",
                    after: ["1 + 1", "bug bundle one.zip"],
                    gives: "file\nbug.md\nunpacked into one; `rutter test one` reruns it")
            ], searchTerms: ["unpack", "unzip", "extract"]
        ) { context, file, into in
            let stem = file.deletingPathExtension().lastPathComponent
            let target = try into ?? context.files.output(stem)
            if FileManager.default.fileExists(atPath: target.path) {
                throw CommonErrors.fileExists(
                    "\(target.lastPathComponent) already exists", at: .parameter("out"),
                    fix: "--out another folder")
            }
            let made = target.deletingLastPathComponent().appendingPathComponent(
                ".\(target.lastPathComponent).rutter-\(getpid())")
            defer { FileManager.default.discard(made) }
            let files = try BundleArchive.unpack(file, into: made)
            let rows = try files.map { name -> [Value] in
                let size = try SQLiteFile.State(made.appendingPathComponent(name)).size
                return [.text(name), .integer(size)]
            }
            try AtomicFile.publish(made, as: target, policy: .exclusive(fix: "--into another folder"))
            let name = target.lastPathComponent
            return .table(
                columns: ["file", "bytes"], cells: rows,
                note: "unpacked into \(name); `rutter test \(name)` reruns it")
        }
    }
}

/// `bug rerun`
struct BugRerun: CommandProvider {
    var name: String { "bug rerun" }

    var command: Command {
        Command(
            name, "rerun a bug bundle in a fresh session and compare",
            details: """
                `passed` means that every result is the same as when the bundle was made: the bug persists. The unpacked \
                files are deleted.
                """,
            .positional("file", .inputFile, "bundle"),
            .flag("allow-plugins", "allow it to run external plugins"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "an unchanged result", "bug rerun one.zip | get outcome",
                    after: ["1 + 1", "bug bundle one.zip"], gives: "passed")
            ], searchTerms: ["reproduce", "test"]
        ) { context, file, allowsPlugins in
            guard let record = context.record else {
                throw BundleErrors.empty("this session cannot run notebooks")
            }
            let rerun = try await BundleFolder.using(context) { folder in
                _ = try BundleArchive.unpack(file, into: folder)
                return try await record.rerun(
                    folder.appendingPathComponent(BundleSettings.notebook), allowsPlugins: allowsPlugins)
            }
            try context.checkCancelled()
            return .record(
                Record([
                    ("outcome", .text(rerun.outcome)), ("cells", .integer(rerun.cells)),
                    ("failed", .integer(rerun.failed)), ("reason", Value(rerun.reason) { .text($0) }),
                ]))
        }
    }
}

/// The temporary folder of a bundle, in the workspace, where a notebook may write too.
enum BundleFolder {
    static func using<T>(_ context: Context, _ body: (URL) async throws -> T) async throws -> T {
        let folder = context.workspace.appendingPathComponent("bundle-\(getpid())", isDirectory: true)
        FileManager.default.discard(folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { FileManager.default.discard(folder) }
        return try await body(folder)
    }
}
