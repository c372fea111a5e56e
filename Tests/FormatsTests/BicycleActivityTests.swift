import Formats
import Testing

/// A pace by bicycle is learned from rides by bicycle, not from whatever is not on foot.
@Suite struct BicycleActivityTests {
    @Test(arguments: ["cycling", "Mountain Biking", "e-bike", "gravel", "MTB"])
    func ridesByBicycle(activity: String) {
        #expect(GPXLine.isByBicycle(activity))
    }

    @Test(arguments: ["motorcycling", "skiing", "kayaking", "hiking", "indoor cycling", ""])
    func othersAreNone(activity: String) {
        #expect(!GPXLine.isByBicycle(activity))
        #expect(!GPXLine.isByBicycle(nil))
    }
}
