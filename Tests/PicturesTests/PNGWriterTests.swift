import Core
import Foundation
import Photos
import PluginTestKit
import Testing

@testable import Pictures

@Suite("PNG files", .needs(.photos))
struct PNGWriterTests {
    private static func scene(_ background: Color?) -> Scene {
        var scene = Scene(size: SceneSize(width: 61, height: 37), background: background)
        for index in 0..<12 {
            let line = [ScenePoint(Double(index) * 5, 1), ScenePoint(60 - Double(index) * 3, 36)]
            scene.add(
                .polyline(line, Stroke(Color(red: UInt8(index * 20), green: 90, blue: 200), width: 1.3)))
        }
        return scene
    }

    @Test("an opaque picture reads back as it was drawn, without transparency, and as the same bytes")
    func opaque() throws {
        let scene = Self.scene(Color(0xF9F6EE))
        let file = [UInt8](try ScenePNG.render(scene))
        // Bit depth 8, colour type 2: red, green, blue.
        #expect(file[24] == 8 && file[25] == 2)
        #expect(try ScenePNG.render(scene) == Data(file))
        // The same lines on the same ground, through cairo's own writer.
        let clear = try PNGFile.decode(file)
        var under = Self.scene(nil)
        let ground = SceneRect(x: -1, y: -1, width: 60.5, height: 39)
        under.add(.polygon([ground.corners], fill: Fill(Color(0xF9F6EE)), stroke: nil), z: -1)
        let other = try ScenePNG.render(under)
        #expect([UInt8](other)[25] == 6)
        let read = try PNGFile.decode([UInt8](other))
        #expect(clear.width == 61 && clear.height == 37)
        for y in 0..<37 {
            for x in 0..<59 {
                let place = (y * 61 + x) * 3
                #expect(clear.pixels[place..<place + 3] == read.pixels[place..<place + 3], "\(x), \(y)")
            }
        }
    }

    @Test(
        "a line of many pieces in one row is drawn without harm, wherever its pieces begin",
        arguments: [0.0, 0.25, 0.5, 0.78])
    func pieces(phase: Double) throws {
        // Antialiasing that is too fast writes beyond its memory here, and the program ends.
        var scene = Scene(size: SceneSize(width: 360, height: 40), background: Color(0xFFFFFF))
        let ends = [ScenePoint(86 + phase, 20), ScenePoint(274 + phase, 20)]
        scene.add(.polyline(ends, Stroke(Color(0), width: 1.4, dash: [2, 2], opacity: 0.5)))
        for step in 0..<47 {
            let x = 87 + phase + Double(step) * 4
            scene.add(.polyline([ScenePoint(x, 24.3), ScenePoint(x, 36)], Stroke(Color(0), width: 2)))
        }
        let read = try PNGFile.decode([UInt8](ScenePNG.render(scene)))
        let row = (0..<360).map { x in read.pixels[(30 * 360 + x) * 3] }
        #expect(row[87...260].contains { $0 < 40 } && row[87...260].contains { $0 > 200 })
        // Half of the line is ink, whatever the phase: 94 of 188 points, each of them wholly black here.
        let ink = row.reduce(0) { $0 + (255 - Double($1)) / 255 }
        #expect(abs(ink - 94) < 1)
    }

    @Test("the checksum is that of the published example")
    func checksum() {
        // The check value of CRC-32/ISO-HDLC, and the IEND chunk of every PNG.
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of(Array("IEND".utf8)) == 0xAE42_6082)
    }

    @Test("a picture for paper states its resolution, in both ways of writing", arguments: [true, false])
    func resolution(isOpaque: Bool) throws {
        let scene = Self.scene(isOpaque ? Color(0xF9F6EE) : nil)
        // 300 pixels an inch are 300 / 0.0254 = 11,811.02 a metre.
        let file = [UInt8](try ScenePNG.render(scene, scale: 300.0 / 72, isForPaper: true))
        let plain = [UInt8](try ScenePNG.render(scene, scale: 300.0 / 72))
        let chunk: [UInt8] = [0, 0, 0, 9] + Array("pHYs".utf8) + [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1]
        #expect(Array(file[33..<33 + chunk.count]) == chunk)
        // zlib.crc32(b"pHYs\0\0\x2e\x23\0\0\x2e\x23\x01") of Python.
        #expect(Array(file[50..<54]) == [0x78, 0xA5, 0x3F, 0x76])
        #expect(Array(file[..<33] + file[54...]) == plain)
        #expect(try PNGFile.decode(file).pixels == PNGFile.decode(plain).pixels)
    }
}
