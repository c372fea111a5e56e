import PluginKit
import TrailStores

/// A category as a value of the workbench.
struct CategoryObject: FieldedObject {
    let category: WaypointCategory

    var typeName: String { "category" }

    static let fields = FieldTable<Self> {
        Field(column: "category") { .text($0.category.raw) }
        Field(column: "name") { .text($0.category.displayName) }
        Field(column: "color") { .text($0.category.colorHex) }
        Field(column: "icon") { .text($0.category.icon) }
        Field(column: "own") { .boolean(WaypointCategory.known($0.category.raw) == nil) }
    }

    var summary: String { category.displayName }
}
