import Foundation
import Pictures
import PluginKit
import TrailStores

/// `category list`
struct ListCategories: CommandProvider {
    var name: String { "category list" }

    var command: Command {
        Command(
            name, "list the categories of waypoints",
            details: "The nine of the app come first, then those of the workspace's own.",
            output: .rows(CategoryObject.columns), effect: .reads,
            examples: [
                .init("a colour", "category list | where category == shelter | get color", gives: "7F8C8D")
            ],
            searchTerms: [
                "kinds of waypoints", "types", "waypoint categories", "colours", "symbols", "kinds of pins",
                "which symbols",
            ]
        ) { context in
            .table(
                objects: try CategoryFile(context).load().all.map { CategoryObject(category: $0) },
                columns: CategoryObject.columns)
        }
    }
}

/// The looks of a category as options.
enum CategoryOptions {
    /// The colour: six hexadecimal digits, with or without a hash.
    static let color = Parameter<String?>.option("color", .text, "six hexadecimal digits, such as A0522D")
    /// A symbol that maps can draw.
    static let icon = Parameter<String?>.option(
        "icon", .choice(IconGlyph.all.map { .init($0.name, String($0.symbol)) }), "symbol on maps")
    /// One of the workspace's own.
    static let category = Parameter<String>.positional("category", .text, "category by identifier or name")
        .completing(.known("category"))

    /// The digits of a colour as stores have them.
    static func digits(_ color: String) -> String {
        (color.hasPrefix("#") ? String(color.dropFirst()) : color).uppercased()
    }

    /// The index of an own category. Throws `E-CATEGORY`.
    static func own(_ text: String, in list: CategoryList) throws(RutterError) -> Int {
        guard let found = list.named(text) else {
            throw WaypointErrors.category(
                "`\(text)` is not a category", at: .parameter("category"),
                fix: "`category list` shows the categories",
                suggestion: Suggestion.nearest(to: text, in: list.own.map(\.raw)))
        }
        guard let index = list.own.firstIndex(of: found) else {
            throw WaypointErrors.category(
                "`\(found.raw)` is one of the nine of the app, which do not change",
                at: .parameter("category"),
                fix: "category add NAME")
        }
        return index
    }
}

/// `category add NAME`
struct AddCategory: CommandProvider {
    var name: String { "category add" }

    var command: Command {
        Command(
            name, "add a category of waypoints",
            details: """
                Waypoints of this workspace can have it like one of the nine. Stores hold its identifier, made of the name; the app, \
                which does not know it, opens them and shows the waypoints as custom.
                """,
            .positional("name", .text, "its display name"),
            CategoryOptions.color, CategoryOptions.icon,
            output: .value("category"), effect: .changes,
            examples: [
                .init(
                    "where to buy bread",
                    "category add Bakery --color A0522D --icon fork.knife | get category",
                    gives: "bakery")
            ],
            searchTerms: [
                "new kind of waypoint", "group of waypoints",
                "make a category", "custom icon", "own category", "new category", "custom category",
                "kind of waypoint", "own kinds of pins", "new symbol",
            ]
        ) { context, name, color, icon in
            let category = try CategoryFile(context).change(in: context) { list in
                let category = WaypointCategory(
                    raw: WaypointCategory.identifier(of: name), displayName: name,
                    colorHex: color.map(CategoryOptions.digits) ?? WaypointCategory.custom.colorHex,
                    icon: icon ?? WaypointCategory.custom.icon)
                if let fault = list.fault(of: category) {
                    throw WaypointErrors.category(
                        fault, at: .parameter("name"), fix: "category add NAME --color A0522D")
                }
                list.own.append(category)
                return (category, "added category \(category.raw)")
            }
            return .object(CategoryObject(category: category))
        }
    }
}

/// `category edit CATEGORY`
struct EditCategory: CommandProvider {
    var name: String { "category edit" }

    var command: Command {
        Command(
            name, "change a category of one's own",
            details: "Its identifier stays, so that waypoints keep it.",
            CategoryOptions.category,
            .option("name", .text, "new display name"),
            CategoryOptions.color, CategoryOptions.icon,
            output: .value("category"), effect: .changes,
            examples: [
                .init(
                    "another colour", "category edit bakery --color 8B4513 | get color",
                    after: ["category add Bakery"], gives: "8B4513")
            ],
            searchTerms: [
                "icon of a category", "change an icon", "symbol", "colour of a category", "rename a category",
            ]
        ) { context, text, name, color, icon in
            let category = try CategoryFile(context).change(in: context) { list in
                let index = try CategoryOptions.own(text, in: list)
                let before = list.own[index]
                let after = WaypointCategory(
                    raw: before.raw, displayName: name ?? before.displayName,
                    colorHex: color.map(CategoryOptions.digits) ?? before.colorHex, icon: icon ?? before.icon)
                guard after != before || !after.displayName.isStored(as: before.displayName) else {
                    throw WaypointErrors.nothingToChange(
                        "no option differs from the category", fix: "category edit CATEGORY --color A0522D")
                }
                var others = list
                others.own.remove(at: index)
                if let fault = others.fault(of: after) {
                    throw WaypointErrors.category(fault, fix: "category edit CATEGORY --color A0522D")
                }
                list.own[index] = after
                return (after, "edited category \(after.raw)")
            }
            return .object(CategoryObject(category: category))
        }
    }
}

/// `category delete CATEGORY`
struct DeleteCategory: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "category delete" }

    var command: Command {
        Command(
            name, "delete a category of one's own",
            details: "Its waypoints stay, and keep its identifier; they look like custom ones.",
            CategoryOptions.category,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "none uses it", "category delete bakery", after: ["category add Bakery"],
                    gives: "deleted category bakery; no waypoint has it")
            ], searchTerms: ["remove a category"]
        ) { context, text in
            let counts = try library.storeIfFits(context)?.counts() ?? []
            let raw = try CategoryFile(context).change(in: context) { list in
                let removed = list.own.remove(at: try CategoryOptions.own(text, in: list))
                return (removed.raw, "deleted category \(removed.raw)")
            }
            let using = counts.first { $0.category == raw }?.count ?? 0
            let rest =
                using == 0
                ? "no waypoint has it"
                : "\(using, of: "waypoint") of this store \(using == 1 ? "keeps" : "keep") its identifier"
            return .text("deleted category \(raw); \(rest)")
        }
    }
}
