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
struct HeardObject: FieldedObject, MapDrawable {
    let source: Source
    let placement: SourcePlacement
    /// Seconds on a walk.
    var time: Double?
    /// Degrees of magnetic north east of true north at the listener; `nil` if it is not known.
    var declination: Double?

    var typeName: String { "bearing" }
    var summary: String { source.name }

    static let fields = FieldTable<Self> {
        Field("time", where: { $0.time != nil }) { Value($0.time) { .quantity(.seconds($0)) } }
        Field(column: "beacon") { .text($0.source.name) }
        Field(column: "distance") { Value($0.placement.distance) { .quantity(.metres(Self.tidy($0))) } }
        Field(column: "bearing") { $0.directed { .quantity(.direction($0.bearing)) } }
        Field(column: "relative") { $0.directed { .quantity(.direction($0.relative)) } }
        Field(column: "x") { $0.directed { .number(Self.tidy($0.x)) } }
        Field(column: "y") { $0.directed { .number(Self.tidy($0.y)) } }
        Field(column: "z") { $0.directed { .number(Self.tidy($0.z)) } }
        Field(column: "behind") { $0.directed { .boolean($0.isBehind) } }
        Field(column: "arrived") { .boolean($0.placement.hasArrived) }
        Field("facing") { .boolean($0.placement.isFacing) }
        Field("magnetic") { heard in
            heard.directed { placement in
                Value(heard.declination) { .quantity(.direction(Angle.normalized(placement.bearing - $0))) }
            }
        }
        Field("at") { Value($0.source.coordinate, Value.coordinate) }
        Field("tone") { .text($0.source.tone.name) }
        Field("gain") { .number(Self.tidy($0.placement.gain)) }
        Field("color") { .text("#" + Color($0.source.color).hex) }
    }

    /// A value of the direction; nothing where the listener is at the place.
    private func directed(_ value: (SourcePlacement) -> Value) -> Value {
        placement.hasDirection ? value(placement) : .nothing
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
