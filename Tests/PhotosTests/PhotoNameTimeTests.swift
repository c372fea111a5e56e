import Testing

@testable import Photos

/// The time in the names that camera apps and messengers give photos.
struct PhotoNameTimeTests {
    @Test(
        arguments: [
            ("IMG_20260606_101500.jpg", "2026:06:06 10:15:00"),
            ("20260606_101500.heic", "2026:06:06 10:15:00"),
            ("a/b/IMG-20260606-101500123.jpg", "2026:06:06 10:15:00"),
            ("2026-06-06 10.15.00.jpg", "2026:06:06 10:15:00"),
            ("Screenshot_2026-06-06-10-15-00.png", "2026:06:06 10:15:00"),
            ("signal-2026-06-06-10-15-00-123.jpg", "2026:06:06 10:15:00"),
        ])
    func namesWithATime(_ name: String, _ time: String) {
        #expect(PhotoNameTime.read(name)?.taken == time)
        #expect(PhotoNameTime.read(name)?.isUTC == false)
    }

    @Test func namesInUTC() { #expect(PhotoNameTime.read("PXL_20260606_081500123.jpg")?.isUTC == true) }

    /// A day alone, numbers of a camera, a year that cannot be.
    @Test(arguments: [
        "IMG-20260606-WA0001.jpg", "DSC01234.JPG", "IMG_1234.jpg", "12345678_123456.jpg", "", "photo.jpg",
    ])
    func namesWithoutATime(_ name: String) { #expect(PhotoNameTime.read(name) == nil) }

    @Test(
        arguments: [
            (#"xmp:CreateDate="2026-06-06T10:10:00+02:00""#, "2026:06:06 10:10:00", "+02:00"),
            ("<xmp:CreateDate>2026-06-06T10:10:00.25Z</xmp:CreateDate>", "2026:06:06 10:10:00", "+00:00"),
            (#"photoshop:DateCreated="2026-06-06T10:10:00""#, "2026:06:06 10:10:00", nil),
        ] as [(String, String, String?)])
    func timesOfXMP(_ property: String, _ taken: String, _ offset: String?) throws {
        let packet = "...<x:xmpmeta xmlns:x='adobe:ns:meta/'>\(property)</x:xmpmeta>..."
        let time = try #require(XMPPacket(Array(packet.utf8)).flatMap(XMPTime.read))
        #expect(time.taken == taken)
        #expect(time.offset == offset)
        #expect(
            XMPPacket(Array("<x:xmpmeta>xmp:CreateDate=\"soon\"</x:xmpmeta>".utf8)).flatMap(XMPTime.read)
                == nil)
    }
}
