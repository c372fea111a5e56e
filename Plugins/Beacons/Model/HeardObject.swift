import Geodesy
import Pictures
import PluginKit

extension Quantity {
    /// A direction to a tenth of a degree; 0deg instead of 360deg. The inputs are not more accurate.
    static func direction(_ degrees: Double) -> Quantity {
        let tenths = (degrees * 10).rounded()
        return Quantity(tenths >= 3600 ? 0 : tenths / 10 + 0, .angle, unit: MeasureUnit.named("deg"))
    }
}

/// The placement of a source around the listener, as a row.
struct HeardObject: DomainObject, MapDrawable {
    static let columns = ["beacon", "distance", "bearing", "relative", "x", "y", "z", "behind", "arrived"]

    let source: Source
    let placement: SourcePlacement
    /// Seconds on a walk.
    var time: Double?
    /// Degrees of magnetic north east of true north at the listener; `nil` if it is not known.
    var declination: Double?

    var typeName: String { "bearing" }
    private static let fields = columns + ["facing", "magnetic", "at", "tone", "gain", "color"]
    static let declaredFieldNames: [String]? = ["time"] + fields
    var fieldNames: [String] { (time == nil ? [] : ["time"]) + Self.fields }
    var summary: String { source.name }

    func field(_ name: String) -> Value? {
        switch name {
        case "time": time.map { .quantity(.seconds($0)) }
        case "beacon": .text(source.name)
        case "distance": Value(placement.distance) { .quantity(.metres(Self.tidy($0))) }
        case "bearing": .quantity(.direction(placement.bearing))
        case "relative": .quantity(.direction(placement.relative))
        case "x": .number(Self.tidy(placement.x))
        case "y": .number(Self.tidy(placement.y))
        case "z": .number(Self.tidy(placement.z))
        case "behind": .boolean(placement.isBehind)
        case "arrived": .boolean(placement.hasArrived)
        case "facing": .boolean(placement.isFacing)
        case "magnetic":
            Value(declination) { .quantity(.direction(Angle.normalized(placement.bearing - $0))) }
        case "at": Value(source.coordinate, Value.coordinate)
        case "tone": .text(source.tone.name)
        case "gain": .number(Self.tidy(placement.gain))
        case "color": .text("#" + Color(source.color).hex)
        default: nil
        }
    }

    /// Rounded to two decimals, without negative zero.
    private static func tidy(_ value: Double) -> Double { (value * 100).rounded() / 100 + 0 }

    var mapFeatures: [MapFeature] {
        guard let place = source.coordinate else { return [] }
        return [
            .point(
                place, MapPointStyle(color: Color(source.color), radius: 5, symbol: "o", label: source.name))
        ]
    }
}
