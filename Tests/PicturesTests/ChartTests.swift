import Core
import Foundation
import Testing

@testable import Pictures

@Suite struct ChartTests {
    static let profile = Chart.profile(
        title: "Coma Pedrosa",
        parts: [
            [(0, 1_580), (1_500, 1_900), (4_000, 2_942), (6_500, 2_100), (8_000, 1_580)].map {
                ProfilePoint(distance: $0.0, elevation: $0.1)
            }
        ],
        marks: [ChartMark(x: 4_000, label: "summit")])

    static let deviation = Chart(
        title: "Off route", x: ChartAxis("time", unit: "m:ss", scale: .duration),
        y: ChartAxis("deviation", unit: "m"),
        series: [
            ChartSeries(
                "raw", points: (0...90).map { ScenePoint(Double($0), abs(Double($0 % 30) - 15) * 2) }),
            ChartSeries("mean", points: [ScenePoint(0, 15), ScenePoint(90, 15)]),
        ],
        thresholds: [ChartThreshold(y: 25, label: "limit")])

    @Test func profileInBraille() {
        #expect(
            Self.profile.terminal(columns: 60, rows: 8) == #"""
                Coma Pedrosa   elevation (m) over distance (km)
                3000 ┤                   summit ⠺⠖⠤⢄⡀
                     │                    ⣀⠤⠒⠍⠁⠄⠩⠄⠁⠄⠉⠍⠒⠤⢄⡀
                     │                ⣀⠤⠒⠍⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠌⠉⠖⠤⢄⡀
                2000 ┤            ⣀⠤⠒⠍⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠉⠍⠒⠦⢄⣀
                     │     ⢀⣀⡠⠤⠔⠒⠍⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠉⠖⠢⢄⣀
                     │⠤⠖⠒⠎⠉⠅⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠍⠒⠦
                     │⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄
                1000 ┤⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠩⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄
                     └┬────────────┬────────────┬─────────────┬────────────┬
                      0            2            4             6            8
                """#)
    }

    @Test func profileInPlain() {
        let text = Self.profile.terminal(columns: 60, rows: 8, style: .plain)
        #expect(
            text == #"""
                Coma Pedrosa   elevation (m) over distance (km)
                3000 +                   summit +--_.
                     |                    _---  |   '---_.
                     |                _---      |        '---_.
                2000 +            _---          |             '---__
                     |     .__----              |                   ---__
                     |-----'                    |                        ---
                     |                          |
                1000 +                          |
                     ++------------+------------+-------------+------------+
                      0            2            4             6            8
                """#)
        #expect(text.allSatisfy { $0.isASCII })
    }

    @Test func seriesAndThreshold() {
        #expect(
            Self.deviation.terminal(columns: 50, rows: 6, style: .plain) == #"""
                Off route   deviation (m) over time (m:ss)
                40 +
                   |\             .\.            ./.             /
                20 +'\_'' '' '' \/''-_'' '' '' '/-''\|' '' ' limit
                   |- /-_ - - -_+ - - +.- - - _/- - --_ - - -.-'-
                   |    -\   _-        '\.  ./'        -_   /-
                 0 +      \_/'           -__-           '\_/
                   ++--------------+--------------+--------------+
                   0:00           0:30           1:00         1:30
                ---- raw   - - mean
                """#)
    }

    @Test func picture() throws {
        let svg = SceneSVG.render(Self.profile.scene(size: SceneSize(width: 300, height: 160)))
        #expect(XMLCheck().accepts(svg))
        for text in ["Coma Pedrosa", "summit", "elevation (m)", "distance (km)", ">2000<", ">5<"] {
            #expect(svg.contains(text), "\(text)")
        }
        #expect(try !ScenePNG.render(Self.deviation.scene()).isEmpty)
    }

    /// Steps of 1, 2, 5 times a power of ten by rule; minutes and hours by the clock.
    @Test(arguments: [
        (0.0...14_200.0, 0.001, ChartScale.number, 8, ["0", "2", "4", "6", "8", "10", "12", "14"]),
        (0.0...1.0, 1, .number, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-30.0...30.0, 1, .number, 4, ["-20", "0", "20"]),
        (0.0...7_200.0, 1, .duration, 5, ["0:00", "0:30", "1:00", "1:30", "2:00"]),
        (0.0...60.0, 1, .duration, 5, ["0:00", "0:15", "0:30", "0:45", "1:00"]),
        (1_000_000.0...3_000_000.0, 1, .number, 3, ["1000000", "2000000", "3000000"]),
    ])
    func ticks(range: ClosedRange<Double>, factor: Double, scale: ChartScale, count: Int, texts: [String]) {
        let axis = ChartAxis(factor: factor, scale: scale)
        let ticks = ChartTicks(range, axis: axis, atMost: count)
        #expect(ticks.values.map(ticks.text) == texts)
    }

    @Test func unitsOfTheReader() {
        #expect(ChartAxis.distance(longest: 900).unit == "m")
        #expect(ChartAxis.distance(longest: 9_000).unit == "km")
        #expect(ChartAxis.distance(longest: 9_000, units: .imperial).unit == "mi")
        #expect(ChartAxis.elevation(units: .imperial).title == "elevation (ft)")
        #expect(ChartAxis.time(longest: 60).title == "time (s)")
        #expect(ChartAxis.time(longest: 1_500).title == "time (min)")
        #expect(ChartAxis.time(longest: 30_000).title == "time (h:mm)")
        let minutes = ChartTicks(0...720, axis: .time(longest: 720), atMost: 8)
        #expect(minutes.values.map(minutes.text) == ["0", "2", "4", "6", "8", "10", "12"])
    }

    @Test func gapsStayGaps() {
        let points = [0.0, 1, .nan, 3, 4].map { ScenePoint($0.isNaN ? 2 : $0, $0) }
        let chart = Chart(series: [ChartSeries(points: points)])
        let layout = ChartLayout(chart, xCount: 5, yCount: 5)
        let plot = SceneRect(x: 0, y: 0, width: 100, height: 100)
        #expect(layout.runs(of: chart.series[0], in: plot).count == 2)
    }

    @Test(arguments: [
        [ScenePoint](), [ScenePoint(0, 0)], [ScenePoint(.nan, .nan)], [ScenePoint(0, 5), ScenePoint(1, 5)],
        [ScenePoint(0, -1e300), ScenePoint(1, 1e300)], [ScenePoint(0, 1e-300), ScenePoint(1e-300, 0)],
    ])
    func oddSeriesAreDrawn(points: [ScenePoint]) throws {
        let chart = Chart(title: "odd", series: [ChartSeries(points: points, isFilled: true)])
        #expect(!chart.terminal().isEmpty)
        #expect(try !ScenePNG.render(chart.scene()).isEmpty)
        #expect(XMLCheck().accepts(SceneSVG.render(chart.scene(size: SceneSize(width: 10, height: 10)))))
    }

    @Test func manyPointsStayASmallPicture() {
        let points = (0..<200_000).map { ScenePoint(Double($0), sin(Double($0) / 50)) }
        let svg = SceneSVG.render(Chart(series: [ChartSeries(points: points)]).scene())
        #expect(svg.utf8.count < 200_000)
    }

    @Test(arguments: [16, 40, 80]) func terminalFits(columns: Int) {
        for style in [TerminalStyle.plain, .braille] {
            for chart in [Self.profile, Self.deviation] {
                let text = chart.terminal(columns: columns, style: style)
                for line in text.split(separator: "\n") {
                    #expect(DisplayWidth.of(line) <= columns, "\(line)")
                }
            }
        }
    }

    @Test func theSameBytesTwice() {
        #expect(Self.profile.terminal() == Self.profile.terminal())
        #expect(SceneSVG.render(Self.deviation.scene()) == SceneSVG.render(Self.deviation.scene()))
    }
}
