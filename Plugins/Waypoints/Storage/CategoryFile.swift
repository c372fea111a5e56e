import Core
import Formats
import Foundation
import PluginKit
import TrailStores

/// The workspace's own categories, which several sessions may change.
struct CategoryFile {
    private let folder: URL
    /// The name of the foreign store in use, which the workspace's categories do not concern.
    private let foreign: String?
    private static let lock = ".categories.lock"

    init(_ context: Context) {
        folder = context.workspace
        foreign = context.stores.current?.name
    }

    private var url: URL { folder.appendingPathComponent(CategoryList.fileName) }

    /// The list; the nine alone while a foreign store is in use. Throws `E-CATEGORY-FILE` if the file cannot be read.
    func load() throws(RutterError) -> CategoryList {
        foreign == nil ? try Self.list(in: folder) : CategoryList()
    }

    private static func list(in folder: URL) throws(RutterError) -> CategoryList {
        do {
            return try CategoryList(in: folder)
        } catch let fault as JSONFault {
            throw fault.error(
                WaypointErrors.categoryFile, file: CategoryList.fileName,
                fix: "correct it or move it away; it is not overwritten")
        } catch {
            throw CommonErrors.fileAccess("\(CategoryList.fileName) cannot be read")
        }
    }

    /// The category of a word, which is an identifier or a display name. Throws `E-CATEGORY`.
    func category(_ text: String, at parameter: String = "category") throws(RutterError) -> WaypointCategory {
        let list = try load()
        if let found = list.named(text) { return found }
        throw WaypointErrors.category(
            "`\(text)` is not a category", at: .parameter(parameter),
            fix: "one of: " + list.all.map(\.raw).joined(separator: ", "),
            suggestion: Suggestion.nearest(to: text, in: list.all.map(\.raw)))
    }

    /// Changes the list, one session at a time, and records how to undo it. `body` returns a result and what was done.
    func change<T>(in context: Context, _ body: (inout CategoryList) throws -> (T, done: String)) throws -> T
    {
        if let foreign {
            throw StoreUseErrors.readOnly(
                "categories belong to the workspace, and \(foreign) is in use",
                fix: "`store use` without a name returns to your own stores")
        }
        return try locked {
            let before = try load()
            var after = before
            let (result, done) = try body(&after)
            guard after != before else { return result }
            try write(after)
            context.journal.record(done) { [after] in
                try locked {
                    guard try load() == after else {
                        throw WaypointErrors.changedSince("the categories were changed by another session")
                    }
                    try write(before)
                }
            }
            return result
        }
    }

    private func write(_ list: CategoryList) throws {
        if list.own.isEmpty {
            FileManager.default.discard(url)
        } else {
            try OutputFile.write(list.data, to: url, force: true)
        }
    }

    private func locked<T>(_ body: () throws -> T) throws -> T {
        let lock = try FileLock(folder.appendingPathComponent(Self.lock))
        return try withExtendedLifetime(lock) { try body() }
    }
}

/// The identifiers of categories, for completion.
struct CategoryCompletions: CompletionSource {
    let kind = "category"

    func words(context: Context) -> [ParameterKind.Choice] {
        CategoryList.shown(in: context.workspace).all.map { ParameterKind.Choice($0.raw, $0.displayName) }
    }
}
