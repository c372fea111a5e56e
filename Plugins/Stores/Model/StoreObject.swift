import Foundation
import PluginKit
import TrailStores

/// An open store as a value of the workbench.
struct StoreObject: DomainObject {
    /// The columns of lists.
    static let columns = ["name", "kind", "file", "access", "inUse"]

    let entry: OpenStores.Entry
    let isInUse: Bool
    /// Whether it is one of the workspace's own stores, which are not opened.
    var isOwn = false
    /// How it was recognised, if it was just opened.
    var recognised: StoreRecognition?

    var typeName: String { "store" }
    var fieldNames: [String] { Self.columns + (recognised == nil ? [] : ["sure", "because"]) + ["path"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(entry.name)
        case "kind": .text(entry.kind.name)
        case "file": .text(entry.url.lastPathComponent)
        case "access": .text(isOwn ? "own" : entry.isWritable ? "write" : "read")
        case "inUse": .boolean(isInUse)
        case "sure": Value(recognised) { .text($0.certainty.rawValue) }
        case "because": Value(recognised) { .text($0.reason) }
        case "path": .text(entry.url.path)
        default: nil
        }
    }

    var summary: String { entry.name }
}

/// A finding of `store check` as a value of the workbench.
struct FindingObject: DomainObject {
    /// The columns of lists.
    static let columns = ["severity", "code", "table", "row", "what"]
    static let dataFieldNames = ["id", "fix", "count"]

    /// The findings of one cause, mostly a single one.
    let cause: FindingCause
    /// The store of a container that it is about; `nil` if only one store was checked, or it concerns all.
    var store: String?
    /// The file in which it was found.
    var url: URL?

    /// The first of them.
    var finding: Finding { cause.findings[0] }
    private var isOne: Bool { cause.count == 1 }

    var typeName: String { "finding" }
    var fieldNames: [String] {
        Self.columns + (store == nil ? [] : ["store"]) + ["count", "id", "meaning", "mend", "fix"]
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "severity": .text(finding.kind.severity.rawValue)
        case "code": .text(finding.kind.code)
        case "table": Value(finding.table) { .text($0) }
        case "row": isOne ? Value(finding.row) { .integer(Int($0)) } : .nothing
        case "what": .text(cause.what)
        case "count": .integer(cause.count)
        case "id":
            isOne
                ? Value(finding.id) { .text($0) }
                : .list(cause.findings.compactMap { $0.id.map { .text($0) } })
        case "store": Value(store) { .text($0) }
        case "meaning": .text(finding.kind.explained.title)
        case "mend": .text(finding.kind.fix)
        case "fix":
            isOne
                ? Value(finding.repair) { .text($0) }
                : .list(cause.findings.compactMap { $0.repair.map { .text($0) } })
        default: nil
        }
    }

    var summary: String { "\(finding.kind.code): \(cause.what)" }
}
