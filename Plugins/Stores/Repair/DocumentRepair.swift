import Formats
import Foundation
import PluginKit
import TrailStores

/// Recovers readable documents: the files of a folder, byte by byte, or the items of an array.
enum DocumentRepair {
    /// Repairs into a new folder or file and returns what was recovered.
    static func repair(_ url: URL, into target: URL) throws -> RepairReport {
        let documents = try DocumentFiles(url)
        let output = try ExclusiveOutput(target, parameter: "out")
        let kind = documents.recognition.kind
        var part = RepairReport.Part(kind: "document", name: kind.name, outcome: .whole, detail: "")
        let good = documents.documents.filter { isReadable($0, kind) }
        part.saved = good.count
        part.lost = documents.documents.count - good.count
        if part.lost > 0 {
            part.outcome = .lost
            let names = documents.documents.filter { !isReadable($0, kind) }.prefix(3)
                .map { $0.position.map { "entry \($0)" } ?? $0.file }
            part.detail = "cannot be read: \(names.joined(separator: ", "))"
        }
        do {
            if documents.documents.contains(where: { $0.position != nil }) {
                let items = JSONTree.list(good.compactMap(\.tree))
                let text = JSONWriter(.apple(escapesSlashes: false)).text(items) + "\n"
                try Data(text.utf8).write(to: output.temporary)
            } else {
                try FileManager.default.createDirectory(
                    at: output.temporary, withIntermediateDirectories: false)
                for document in good {
                    try FileManager.default.copyItem(
                        at: url.appendingPathComponent(document.file),
                        to: output.temporary.appendingPathComponent(document.file))
                }
            }
        } catch {
            throw StoreErrors.disk("the copy cannot be written: \((error as NSError).localizedDescription)")
        }
        try output.finish()
        var report = RepairReport()
        report.parts = [part]
        return report
    }

    private static func isReadable(_ document: DocumentFiles.Document, _ kind: StoreKind) -> Bool {
        guard let tree = document.tree else { return false }
        // Throws for documents that apps do not decode.
        if kind == .plannedRoutes { return (try? PlannedRoute(json: tree)) != nil }
        let present = Set(tree.keys ?? [])
        return present.isSuperset(of: DocumentLayout.keys(of: kind).needed)
    }
}
