import Foundation
import PhotoFixtures
import Testing

@testable import Pictures

@Suite struct SceneSVGTests {
    @Test func everyShape() {
        #expect(
            SceneSVG.render(SceneSamples.all) == #"""
                <svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" viewBox="0 0 120 80" font-family="'DejaVu Sans', sans-serif" role="img">
                  <title>Tom &amp; &lt;Jerry&gt;</title>
                  <rect width="120" height="80" fill="#FFFFFF"/>
                  <path d="M0,0L40,0L40,40L0,40ZM10,10L30,10L30,30L10,30Z" fill-rule="evenodd" fill="#27AE60" fill-opacity="0.5"/>
                  <circle cx="100" cy="20" r="5" fill="none" stroke="#000000" stroke-width="1" stroke-linejoin="round" stroke-dasharray="2 1"/>
                  <polyline id="route" points="10,70 60,10.13 110,70" fill="none" stroke="#2F7DE1" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/>
                  <text x="60" y="60" font-size="11" fill="#2B2F36" text-anchor="middle" font-weight="bold" stroke="#FFFFFF" stroke-width="2.97" stroke-linejoin="round" paint-order="stroke">&quot;東京&quot; &lt;1&gt;</text>
                  <svg id="cut" x="2" y="2" width="50" height="50" viewBox="2 2 50 50" overflow="hidden">
                    <polyline points="1,1 9,9" fill="none" stroke="#2B2F36" stroke-width="1" stroke-linejoin="round" stroke-linecap="round"/>
                  </svg>
                </svg>

                """#)
    }

    @Test func markerKeepsItsName() {
        #expect(
            SceneSVG.render(SceneSamples.marker) == #"""
                <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40" font-family="'DejaVu Sans', sans-serif">
                  <g id="waypoint-6B29FC40-CA47-1067-B31D-00DD010662DA">
                    <title>Font</title>
                    <path d="M20,35L16,29L24,29Z" fill-rule="evenodd" fill="#3498DB" stroke="#FFFFFF" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>
                    <circle cx="20" cy="20" r="9.25" fill="#3498DB" stroke="#FFFFFF" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>
                    <path d="M20,14.04C20,14.04 15.94,19.02 15.94,21.63C15.94,23.95 17.78,25.69 20,25.69C22.22,25.69 24.06,23.95 24.06,21.63C24.06,19.02 20,14.04 20,14.04Z" fill-rule="evenodd" fill="#FFFFFF"/>
                  </g>
                </svg>

                """#)
    }

    @Test func textAndControlCharactersAreEscaped() throws {
        var scene = Scene(size: SceneSize(width: 9, height: 9), title: "a\u{0}b")
        scene.add(.text(TextShape("<script>\u{1B}\"&'", at: ScenePoint(0, 0))), id: "\"><x y=\"")
        let svg = SceneSVG.render(scene)
        #expect(!svg.contains("<script>"))
        #expect(svg.contains("&lt;script&gt;\u{FFFD}&quot;&amp;'"))
        #expect(svg.contains("id=\"&quot;&gt;&lt;x y=&quot;\""))
        let parser = XMLCheck()
        #expect(parser.accepts(svg))
    }

    @Test("a name that would turn its letters round, or hide some, is shown in its own order")
    func namesKeepTheirOrder() {
        let written = [
            "Berg\u{202E}TSEW": "BergTSEW", "a\u{202A}b\u{202C}c": "abc", "\u{FEFF}Bom": "Bom",
            "T\u{E0041}g": "Tg", "two\u{2028}lines": "two lines", "c\u{9F}d": "c\u{FFFD}d",
            "n\u{1FFFE}c": "n\u{FFFD}c",
            // What only helps to show a name of two directions, joins its letters or is a flag.
            "הר \u{200F}12": "הר \u{200F}12", "می\u{200C}خواهم": "می\u{200C}خواهم",
            "🏴\u{E0067}\u{E007F}": "🏴\u{E0067}\u{E007F}",
        ]
        for (name, shown) in written {
            var scene = Scene(size: SceneSize(width: 9, height: 9), title: name)
            let shape = TextShape(name, at: ScenePoint(0, 0))
            #expect(shape.string == shown)
            scene.add(.text(shape))
            let svg = SceneSVG.render(scene)
            #expect(svg.contains("<title>\(shown)</title>") && svg.contains(">\(shown)</text>"))
        }
    }

    @Test func imagesAreEmbeddedByTheirContent() throws {
        var scene = Scene(size: SceneSize(width: 9, height: 9))
        let place = SceneRect(x: 0, y: 0, width: 9, height: 9)
        scene.add(.image(bytes: TinyJPEG.grey, place))
        scene.add(.image(bytes: Array("not an image".utf8), place))
        let svg = SceneSVG.render(scene)
        #expect(svg.contains("href=\"data:image/jpeg;base64,/9j/"))
        #expect(svg.contains("fill=\"#D5D9DF\""))
    }

    /// Properties unknown to HTML validators are in the page's style.
    @Test func aPictureInAPageHasNoPaintOrder() {
        #expect(SceneSVG.render(SceneSamples.all).contains("paint-order=\"stroke\""))
        let inline = SceneSVG.inline(SceneSamples.all)
        #expect(!inline.contains("paint-order") && inline.contains("stroke-linejoin=\"round\""))
    }

    @Test func theSameBytesTwice() {
        #expect(SceneSVG.render(SceneSamples.all) == SceneSVG.render(SceneSamples.all))
    }
}
