import Core
import Testing

@testable import Pictures

@Suite struct SceneTerminalTests {
    private func mountain() -> Scene {
        var scene = Scene(size: SceneSize(width: 240, height: 96))
        let line = [ScenePoint(4, 92), ScenePoint(80, 8), ScenePoint(140, 70), ScenePoint(236, 20)]
        scene.add(.polyline(line, Stroke(Color(0x2F7DE1), width: 3)))
        let hut = Marker(
            at: ScenePoint(140, 72), color: Color(0x7F8C8D), icon: "house", label: "Refugi de Juclà")
        scene.add(.marker(hut), z: 75)
        let place = Marker(at: ScenePoint(20, 20), color: Color(0xE67E22), icon: "unknown", label: "東京")
        scene.add(.marker(place), z: 75)
        return scene
    }

    @Test func braille() {
        #expect(
            SceneTerminal.render(mountain(), columns: 30, rows: 6) == #"""
                東京     ⢀⢄
                  ◆    ⢀⠔⠁ ⠑⢄              ⣀⠤⠒
                     ⢀⠔⠁     ⠑⢄        ⣀⠤⠒⠉
                    ⡠⠃         ⠑⢄  ⣀⠤⠒⠉
                  ⡠⠊             ⌂⠉
                ⢠⠊        Refugi de Juclà
                """#)
    }

    @Test func plain() {
        #expect(
            SceneTerminal.render(mountain(), columns: 30, rows: 6, style: .plain) == #"""
                ????     ._
                  *    .-' -_              _--
                     .-'     -_        _---
                    _'         -_  _---
                  _-             H-
                .-        Refugi de Jucla
                """#)
        let text = SceneTerminal.render(mountain(), columns: 30, rows: 6, style: .plain)
        #expect(text.allSatisfy { $0.isASCII })
    }

    @Test(arguments: TerminalStyle.Glyphs.allCases, TerminalStyle.Colors.allCases)
    func nothingIsWiderThanTheTerminal(glyphs: TerminalStyle.Glyphs, colors: TerminalStyle.Colors) throws {
        let style = TerminalStyle(glyphs: glyphs, colors: colors)
        for columns in [1, 2, 7, 30, 80] {
            let text = SceneTerminal.render(mountain(), columns: columns, style: style)
            let escapes = try Regex("\u{1B}\\[[0-9;]*m")
            for line in text.replacing(escapes, with: "").split(separator: "\n") {
                #expect(DisplayWidth.of(line) <= columns)
                #expect(line.last != " ")
            }
        }
    }

    @Test func coloursAreSetAndReset() {
        var scene = Scene(size: SceneSize(width: 16, height: 16), background: nil)
        scene.add(.polyline([ScenePoint(0, 2), ScenePoint(7, 2)], Stroke(Color(0xFF0000))))
        let truecolor = TerminalStyle(glyphs: .braille, colors: .truecolor)
        #expect(
            SceneTerminal.render(scene, columns: 2, rows: 1, style: truecolor)
                == "\u{1B}[38;2;255;0;0m⠉\u{1B}[0m")
        let palette = TerminalStyle(glyphs: .braille, colors: .ansi256)
        #expect(
            SceneTerminal.render(scene, columns: 2, rows: 1, style: palette).hasPrefix("\u{1B}[38;5;196m"))
    }

    @Test func darkColoursAreLeftToTheTerminal() {
        var line = StyledLine(colors: .truecolor)
        line.append("a", .black)
        #expect(line.finished() == "a")
    }

    @Test func labelsWithoutRoomAreDropped() {
        var scene = Scene(size: SceneSize(width: 80, height: 48))
        for x in [20.0, 28, 36] {
            scene.add(
                .marker(Marker(at: ScenePoint(x, 20), color: .black, icon: "car", label: "a long label")))
        }
        let text = SceneTerminal.render(scene, columns: 10, rows: 3)
        #expect(text == "\n  PPP\n")
    }

    @Test func symbolOnTopHidesTheOneBelow() {
        var scene = Scene(size: SceneSize(width: 80, height: 16))
        scene.add(.marker(Marker(at: ScenePoint(9, 9), color: .black, icon: "house", label: "below")), z: 1)
        scene.add(.marker(Marker(at: ScenePoint(10, 10), color: .black, icon: "car", label: "top")), z: 2)
        #expect(SceneTerminal.render(scene, columns: 10, rows: 1) == " P top")
    }

    @Test func whiteWipes() {
        var scene = Scene(size: SceneSize(width: 16, height: 16))
        let all = SceneRect(x: 0, y: 0, width: 16, height: 16)
        scene.add(.polyline([ScenePoint(0, 2), ScenePoint(16, 2)], Stroke(.ink)))
        scene.add(.polygon([all.corners], fill: Fill(.white), stroke: nil), z: 1)
        #expect(SceneTerminal.render(scene, columns: 2, rows: 1) == "")
    }

    @Test func farAwayPlacesTakeNoTime() {
        var scene = Scene(size: SceneSize(width: 80, height: 80))
        scene.add(.polyline([ScenePoint(-1e12, 40), ScenePoint(1e12, 41)], Stroke(.ink, dash: [4, 4])))
        scene.add(.circle(center: ScenePoint(0, 0), radius: 1e12, fill: Fill(.ink), stroke: Stroke(.ink)))
        #expect(!SceneTerminal.render(scene).isEmpty)
    }

    @Test func numberOfRows() {
        let scene = Scene(size: SceneSize(width: 640, height: 160))
        #expect(SceneTerminal.lines(scene, columns: 80, rows: nil, style: .plain).count == 10)
        #expect(SceneTerminal.lines(scene, columns: 80, rows: 3, style: .plain).count == 3)
        #expect(SceneTerminal.render(Scene(size: SceneSize(width: 0, height: 5))) == "")
    }

    @Test(arguments: [
        ("Juclà", "Jucla"), ("Straße", "Strasse"), ("東京", "????"), ("8°", "8"), ("Ångström", "Angstrom"),
    ])
    func plainText(text: String, ascii: String) {
        #expect(PlainText.of(text) == ascii)
    }

    /// A name from data controls no terminal, in titles, legends and labels alike.
    @Test(arguments: [TerminalStyle.Glyphs.braille, .plain])
    func namesControlNothing(_ glyphs: TerminalStyle.Glyphs) {
        let style = TerminalStyle(glyphs: glyphs, colors: .none)
        let shown = style.shown("a\u{1B}[31mred\u{07}\u{9B}b")
        #expect(!shown.unicodeScalars.contains { $0.value < 32 || (0x7F...0x9F).contains($0.value) })
        #expect(shown.contains("red"))
    }
}
