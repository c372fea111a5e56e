import Geodesy
import Testing

/// Notations that programs write, and texts that contradict themselves.
struct MachineNotationTests {
    private static func coordinate(_ text: String) -> Coordinate? {
        guard case .coordinate(let coordinate, _)? = CoordinateText.read(text) else { return nil }
        return coordinate
    }

    @Test(arguments: [
        "+46.5+007.25/", "POINT(7.25 46.5)", "POINT (7.25 46.5)", "SRID=4326;POINT(7.25 46.5)",
        "https://www.google.com/maps/@46.5,7.25,15z", "https://www.openstreetmap.org/#map=15/46.5/7.25",
        // The mark, not the middle of the view.
        "https://www.google.com/maps/place/Hut/@46.4,7.2,15z/data=!3d46.5!4d7.25",
        "https://www.openstreetmap.org/?mlat=46.5&mlon=7.25#map=15/46.4/7.2",
        "https://maps.apple.com/?ll=46.5,7.25&q=Hut", "HTTPS://maps.apple.com/?ll=46.5,7.25&q=Hut",
        // Links are longer than coordinates.
        "https://www.google.com/maps/place/Hut+\(String(repeating: "on+the+hill+", count: 20))/@46.4,7.2,15z/data=!3d46.5!4d7.25",
        "geo:46.5,7.25?z=15&q=\(String(repeating: "Hut%20on%20the%20hill%20", count: 20))",
    ])
    func placesOfPrograms(text: String) {
        let found = Self.coordinate(text)
        #expect(found?.latitude == 46.5, "\(text)")
        #expect(found?.longitude == 7.25, "\(text)")
        #expect(found?.altitude == nil, "\(text)")
    }

    @Test(arguments: [
        "46.5,7.25,1250m", "POINT Z (7.25 46.5 1250)", "+46.5+007.25+1250/", "46.5, 7.25, 1250 m",
    ])
    func altitudes(text: String) {
        let found = Self.coordinate(text)
        #expect(found?.latitude == 46.5, "\(text)")
        #expect(found?.altitude == 1250, "\(text)")
    }

    @Test func aSouthernPlaceIsSouth() {
        #expect(Self.coordinate("-33.9+151.2/")?.latitude == -33.9)
        #expect(Self.coordinate("POINT(-70.1 -33.9)")?.longitude == -70.1)
    }

    /// A sign and a letter say the hemisphere twice, perhaps two of them; two numbers with signs are no place.
    @Test(arguments: ["-46.5S 7.9E", "46.5N -7.9W", "-46.5N 7.9E", "+46.5+007.9", "10-12", "POINT(7.9)"])
    func whatContradictsItselfIsNoPlace(text: String) { #expect(Self.coordinate(text) == nil, "\(text)") }
}
