import Formats
import Foundation
import PluginKit

/// The categories of a workspace: the nine of the app, then those of its own, which stand in `categories.json`.
///
/// A waypoint's row holds only the identifier of its category. The app reads one that it does not know as `custom`.
public struct CategoryList: Sendable, Hashable {
    /// The name of the file in a workspace.
    public static let fileName = "categories.json"

    /// Those of the workspace's own, in the order in which they were added.
    public var own: [WaypointCategory]

    /// A list with these besides the nine.
    public init(own: [WaypointCategory] = []) { self.own = own }

    /// The nine, then the own ones.
    public var all: [WaypointCategory] { WaypointCategory.all + own }

    /// The category of a stored identifier; one that nobody defined has its own name and the looks of `custom`.
    public func reading(_ raw: String) -> WaypointCategory {
        own.first { $0.raw == raw } ?? WaypointCategory.reading(raw)
    }

    /// The category with this identifier or display name, in any case.
    public func named(_ text: String) -> WaypointCategory? {
        let folded = text.lowercased()
        return all.first { $0.raw.lowercased() == folded }
            ?? all.first { $0.displayName.lowercased() == folded }
    }
}

// MARK: The file

extension CategoryList {
    /// The list of a workspace; the nine alone if it has no file. Throws what reading throws, and `JSONFault`.
    public init(in workspace: URL) throws {
        let url = workspace.appendingPathComponent(Self.fileName)
        guard FileManager.default.fileExists(atPath: url.path) else {
            self.init()
            return
        }
        try self.init(parsing: Data(contentsOf: url))
    }

    /// The list for drawing and naming: the nine alone if the file cannot be read, which the commands on categories report.
    public static func shown(in workspace: URL) -> CategoryList {
        (try? CategoryList(in: workspace)) ?? CategoryList()
    }

    /// Reads an array of objects with `category`, `name`, `color` and `icon`.
    init(parsing data: Data) throws {
        self.init(
            own: try JSONTree.read(data) { tree in
                try tree.map { (entry) throws(JSONFault) in
                    WaypointCategory(
                        raw: try entry.read("category"), displayName: try entry.read("name"),
                        colorHex: try entry.read("color"), icon: try entry.read("icon"))
                }
            })
        for (index, category) in own.enumerated() {
            if let fault = CategoryList(own: Array(own[..<index])).fault(of: category) {
                throw JSONFault(fault)
            }
        }
    }

    /// The content of the file, in the order of the list.
    public var data: Data {
        let entries = own.map { category in
            JSONTree(members: [
                "category": .text(category.raw), "name": .text(category.displayName),
                "color": .text(category.colorHex), "icon": .text(category.icon),
            ])
        }
        return Data(JSONWriter(.apple(escapesSlashes: false)).text(.list(entries)).utf8)
    }

    /// Why a category cannot be one of the list; `nil` if it can.
    public func fault(of category: WaypointCategory) -> String? {
        if category.displayName.trimmingCharacters(in: .whitespaces).isEmpty || category.raw.isEmpty {
            return "a category needs a name with letters or digits"
        }
        if !WaypointCategory.isColor(category.colorHex) {
            return "a colour has six hexadecimal digits, such as A0522D, not `\(category.colorHex)`"
        }
        let other = named(category.raw) ?? named(category.displayName)
        return other.map { "there is a category `\($0.raw)` (\($0.displayName)) already" }
    }
}
