import Testing

@testable import RoutingPlugin

/// Walking times by norms, against sums by hand.
struct WalkingTimeTests {
    @Test(
        "DIN 33466: 4 km/h, 300 m/h up, 500 m/h down, the longer and half of the shorter",
        arguments: [
            (8000.0, 600.0, 0.0, 3.0), (8000, 0, 500, 2.5), (4000, 900, 0, 3.5), (6000, 300, 500, 2.75),
            (4000, 0, 0, 1),
        ])
    func din33466(length: Double, gain: Double, loss: Double, hours: Double) {
        let seconds = WalkingTimes.din33466(length: length, gain: gain, loss: loss)
        #expect(abs(seconds / 3600 - hours) < 1e-9)
    }
}
