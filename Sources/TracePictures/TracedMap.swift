import Pictures
import PluginKit

/// Draws the steps of a trace on a map: one value for each algorithm, with what its picture needs beside the steps.
public protocol TracedMap: TracePicturing {
    /// The type name of the picture.
    var name: String { get }
    /// The fields of the picture.
    var fieldNames: [String] { get }
    /// The largest zoom that shows a whole picture.
    var nearestZoom: Double { get }
    /// The state after the steps in one line.
    func summary(of steps: ArraySlice<TraceStep>) -> String
    /// A field after the steps; called for the names of `fieldNames` only.
    func value(_ field: String, of steps: ArraySlice<TraceStep>) -> Value
    /// What is drawn after the steps.
    func features(of steps: ArraySlice<TraceStep>) -> [MapFeature]
}

extension TracedMap {
    /// By default, the same as for other maps.
    public var nearestZoom: Double { MapView.nearestZoom }

    /// The picture after the last of the steps.
    public func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        TracedPicture(map: self, steps: steps)
    }
}

/// A traced map whose marks appear, change and disappear step by step, over a ground that stays.
public protocol SteppedMap: TracedMap {
    /// The content of every step.
    func ground(of steps: ArraySlice<TraceStep>) -> [MapFeature]
    /// The changes of each step.
    func frames(of steps: ArraySlice<TraceStep>) -> [PictureFrame]
    /// The style of the chain from the current mark through its parents.
    var chain: MapLineStyle { get }
}

extension SteppedMap {
    /// The picture after the last of the steps.
    public func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        SteppedTracedPicture(map: self, steps: steps)
    }

    /// The ground with the marks after the last step.
    public func features(of steps: ArraySlice<TraceStep>) -> [MapFeature] {
        var board = MarkBoard()
        for frame in frames(of: steps) { board.take(frame) }
        return ground(of: steps) + board.features(chain: chain)
    }
}

/// A traced map after some of its steps.
private struct TracedPicture<Map: TracedMap>: DomainObject, MapDrawable {
    let map: Map
    let steps: ArraySlice<TraceStep>

    var typeName: String { map.name }
    var fieldNames: [String] { map.fieldNames }
    var summary: String { map.summary(of: steps) }
    var mapFeatures: [MapFeature] { map.features(of: steps) }
    var nearestZoom: Double { map.nearestZoom }

    func field(_ name: String) -> Value? {
        map.fieldNames.contains(name) ? map.value(name, of: steps) : nil
    }
}

/// A stepped map after some of its steps; a player shows all of them.
private struct SteppedTracedPicture<Map: SteppedMap>: DomainObject, SteppedPicture {
    let map: Map
    let steps: ArraySlice<TraceStep>

    var typeName: String { map.name }
    var fieldNames: [String] { map.fieldNames }
    var summary: String { map.summary(of: steps) }
    var ground: [MapFeature] { map.ground(of: steps) }
    var frames: [PictureFrame] { map.frames(of: steps) }
    var chainStyle: MapLineStyle { map.chain }
    var nearestZoom: Double { map.nearestZoom }

    func field(_ name: String) -> Value? {
        map.fieldNames.contains(name) ? map.value(name, of: steps) : nil
    }
}
