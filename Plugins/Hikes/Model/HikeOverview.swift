import Formats
import PluginKit
import TrailStores

extension HikeObject: OverviewRendering {
    func headline(in environment: Environment) -> String {
        let units = environment.units
        let isOnFoot = GPXLine.isOnFoot((try? recording())?.line.type)
        let times =
            hike.areTimesKnown
            ? [
                ReadableText.duration(hike.walkingTime) + (isOnFoot ? " walking" : " moving"),
                ReadableText.duration(hike.restingTime) + " resting",
            ] : ["times unknown"]
        let climbed =
            hike.isClimbKnown
            ? [
                ReadableText.height(hike.gain, units: units) + " up",
                ReadableText.height(hike.loss, units: units) + " down",
            ] : ["climb unknown"]
        let way =
            hike.isDistanceKnown ? [ReadableText.distance(hike.distance, units: units)] : ["distance unknown"]
        let facts = way + times + climbed
        return "\(hike.displayName): \(facts.joined(separator: ", "))"
    }

    var overviewFields: [String] {
        [
            "id", "start", "end", "at", "heartRate", "maxHeartRate", "calories", "comment", "method",
            "activity",
            "device", "source", "sensors", "edits", "warnings",
        ]
    }
}
