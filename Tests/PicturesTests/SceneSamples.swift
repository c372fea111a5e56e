import Foundation

@testable import Pictures

/// Scenes that several tests draw.
enum SceneSamples {
    /// One of every shape.
    static var all: Scene {
        var scene = Scene(size: SceneSize(width: 120, height: 80), title: "Tom & <Jerry>")
        scene.add(
            .polyline(
                [ScenePoint(10, 70), ScenePoint(60, 10.125), ScenePoint(110, 70)],
                Stroke(Color(0x2F7DE1), width: 3)),
            z: 40, id: "route")
        scene.add(
            .polygon(
                [
                    SceneRect(x: 0, y: 0, width: 40, height: 40).corners,
                    SceneRect(x: 10, y: 10, width: 20, height: 20).corners,
                ],
                fill: Fill(Color(0x27AE60), opacity: 0.5), stroke: nil))
        scene.add(
            .circle(center: ScenePoint(100, 20), radius: 5, fill: nil, stroke: Stroke(.black, dash: [2, 1])),
            z: 3)
        scene.add(
            .text(
                TextShape("\"東京\" <1>", at: ScenePoint(60, 60), anchor: .middle, weight: .bold, halo: .white)),
            z: 80)
        scene.add(
            .group(
                [
                    SceneElement(
                        shape: .polyline(
                            [ScenePoint(0, 0), ScenePoint(.nan, 1), ScenePoint(1, 1), ScenePoint(9, 9)],
                            Stroke(.ink)))
                ],
                clip: SceneRect(x: 2, y: 2, width: 50, height: 50)),
            z: 90, id: "cut")
        return scene
    }

    static let markerID = "waypoint-6B29FC40-CA47-1067-B31D-00DD010662DA"

    static var marker: Scene {
        var scene = Scene(size: SceneSize(width: 40, height: 40), background: nil)
        let marker = Marker(at: ScenePoint(20, 35), color: Color(0x3498DB), icon: "drop.fill", label: "Font")
        scene.add(.marker(marker), z: 75, id: markerID)
        return scene
    }
}
