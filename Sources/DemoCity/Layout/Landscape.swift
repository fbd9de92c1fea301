/// The natural features of the site (the bay with its island, the river, a pond), and the boundary of the built-up land.
struct Landscape {
    var bay = polygon(
        CatmullRomSpline([
            (-3.3, 6.6), (-3.5, 5.4), (-3.1, 4.3), (-3.5, 3.3), (-3.1, 2.4), (-2.5, 1.7), (-2.3, 1.0), (-2.9, 0.3),
            (-3.3, -0.6), (-2.9, -1.5), (-2.1, -2.1), (-1.8, -2.9), (-0.8, -3.4), (0.5, -3.7), (1.4, -4.4), (1.8, -5.4),
            (2.9, -6.6), (2.2, -8.4), (-1.0, -9.4), (-5.6, -9.8), (-9.6, -7.4), (-11.4, -2.2), (-10.2, 3.2),
            (-7.6, 6.8), (-5.0, 7.8),
        ]).closed()
    )
    var river = polygon(
        CatmullRomSpline([
            (-3.1, 1.1), (-2.2, 1.0), (-1.4, 1.4), (-0.6, 1.6), (0.2, 1.2), (1.1, 1.2), (1.8, 1.8), (2.2, 2.8),
            (3.0, 3.5), (4.2, 3.6), (5.4, 4.3), (7.2, 4.5), (9.2, 5.8),
        ]).river(mouth: 0.26)
    )
    var pond = polygon(
        CatmullRomSpline([(0.78, -1.02), (1.0, -0.8), (1.2, -0.86), (1.16, -1.1), (1.26, -1.34), (1.02, -1.46), (0.84, -1.3)])
            .closed()
    )
    var island = polygon(
        CatmullRomSpline([(-5.1, -1.5), (-4.6, -1.3), (-4.3, -1.7), (-4.4, -2.3), (-4.8, -2.7), (-5.2, -2.2)]).closed()
    )
    var boundary = polygon(
        CatmullRomSpline([
            (-4.7, 4.2), (-2.4, 4.6), (0.4, 4.5), (2.6, 4.4), (4.0, 3.7), (4.5, 2.0), (4.4, 0.2), (4.5, -1.6),
            (4.0, -3.3), (2.9, -4.2), (0.8, -4.6), (-2.0, -4.7), (-4.7, -4.5),
        ]).closed()
    )

    private static func polygon(_ points: [SplinePoint]) -> Polygon {
        Polygon(points: points.map { Grid.coordinate($0) })
    }
}
