import Testing

@testable import Photos

/// Positions in XMP packets, as editors write them.
struct XMPPositionTests {
    private func read(_ latitude: String, _ longitude: String, _ more: String = "") -> String? {
        let packet =
            "<x:xmpmeta><rdf:Description exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"\(longitude)\"\(more)/></x:xmpmeta>"
        let place = XMPPacket(Array(packet.utf8)).flatMap(XMPPosition.read)
        return place.map { "\(($0.latitude * 1e6).rounded() / 1e6) \(($0.longitude * 1e6).rounded() / 1e6)" }
    }

    @Test func minutesAndSeconds() {
        #expect(read("46,30.27N", "10,15.0E") == "46.5045 10.25")
        #expect(read("46,30,16.2N", "10,15,0W") == "46.5045 -10.25")
        #expect(read("33,30,0S", "70,35,60W") == "-33.5 -70.6")
    }

    @Test func aPositionWithoutAFixIsNone() {
        #expect(read("46,30.27N", "10,15.0E", " exif:GPSStatus=\"V\"") == nil)
        #expect(read("46,30.27N", "10,15.0E", " exif:GPSStatus=\"A\"") == "46.5045 10.25")
    }

    @Test(arguments: [
        ("46,30.27", "10,15.0E"), ("46,99N", "10,15E"), ("91,0N", "10,15E"), ("0,0N", "0,0E"), ("46N", "10E"),
        ("x,1N", "1,1E"),
    ])
    func whatIsNone(latitude: String, longitude: String) { #expect(read(latitude, longitude) == nil) }
}
