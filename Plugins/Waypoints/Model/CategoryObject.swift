import PluginKit
import TrailStores

/// A category as a value of the workbench.
struct CategoryObject: DomainObject {
    /// The columns of lists.
    static let columns = ["category", "name", "color", "icon", "own"]

    let category: WaypointCategory

    var typeName: String { "category" }
    static let declaredFieldNames: [String]? = columns
    var fieldNames: [String] { Self.columns }

    func field(_ name: String) -> Value? {
        switch name {
        case "category": .text(category.raw)
        case "name": .text(category.displayName)
        case "color": .text(category.colorHex)
        case "icon": .text(category.icon)
        case "own": .boolean(WaypointCategory.known(category.raw) == nil)
        default: nil
        }
    }

    var summary: String { category.displayName }
}
