import Foundation
import PluginKit
import TrailStores

/// A damaged file made readable in a temporary folder: a transfer as text undone, a header mended from the pages, or the
/// database of a log whose own file is missing. `nil` if the file can be read as it is.
final class SourceCopy {
    /// The copy.
    let url: URL
    /// What was done.
    let remarks: [RepairReport.Part]
    private let folder: URL

    private static let companions = ["-wal", "-journal"]

    /// Prepares a file; throws `E-STORE-NOTDB` if nothing in it is a database.
    init?(_ url: URL, check: @escaping () throws -> Void) throws {
        let real = url.resolvingSymlinksInPath()
        guard let file = FileBytes(real), file.size > 0 else { return nil }
        var work: ((URL) throws -> RepairReport.Part)?
        if let log = try LoneLog(real, check: check) {
            work = { target in
                try log.write(to: target, check: check)
                return .init(
                    kind: RepairReport.log, name: real.lastPathComponent,
                    outcome: log.isComplete && !log.isTorn ? .whole : .lost, detail: log.words)
            }
        } else if !(FileDiagnosis.of(real).allSatisfy { $0.cause == .appended }),
            let (transfer, bytes) = TextTransfer.undone(file)
        {
            work = { target in
                try Data(bytes).write(to: target)
                return .init(
                    kind: "transfer", name: real.lastPathComponent, outcome: .rebuilt,
                    detail: "\(transfer.what); undone exactly")
            }
        } else if let reading = HeaderReading(file), !reading.isSound,
            reading.supporting > 0 || HeaderReading.pageSize(reading.stated) != nil
        {
            work = { target in try Self.mend(reading, real, target) }
        }
        guard let work else { return nil }
        folder = try FileManager.default.scratchFolder(ForeignSource.scratchName)
        self.url = folder.appendingPathComponent(real.lastPathComponent)
        do {
            remarks = [try work(self.url)]
        } catch {
            FileManager.default.discard(folder)
            throw error
        }
    }

    deinit { FileManager.default.discard(folder) }

    /// Copies a file with its log or journal, and writes the header that its pages support.
    private static func mend(_ reading: HeaderReading, _ file: URL, _ target: URL) throws -> RepairReport.Part
    {
        for suffix in [""] + companions {
            let source = URL(fileURLWithPath: file.path + suffix)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(
                at: source.resolvingSymlinksInPath(), to: URL(fileURLWithPath: target.path + suffix))
        }
        chmod(target.path, 0o600)
        let output = try FileHandle(forWritingTo: target)
        try output.write(contentsOf: Data(reading.mended(pages: reading.pages)))
        try output.close()
        return .init(
            kind: "header", name: file.lastPathComponent, outcome: .rebuilt,
            detail: reading.contradictions.joined(separator: "; "))
    }
}
