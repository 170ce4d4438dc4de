# Power of classical tests from R's own distribution functions: the formulas of pwr and of stats.
#   Rscript oracle/r/power-classical.R        (from the project's root; writes oracle/r/power-classical.json)
suppressMessages(library(jsonlite))
options(digits = 17)
# correlation, exact: given x, t is noncentral t on n - 2 df with ncp rho/sqrt(1 - rho^2) sqrt(W), W ~ chi-square(n - 1)
correlation <- function(n, rho, alpha, two) {
  tc <- qt(if (two) alpha / 2 else alpha, n - 2, lower.tail = FALSE); d <- rho / sqrt(1 - rho^2)
  # by probability: Gauss-like sum over 20000 midpoints of the quantiles of W is not enough; integrate over W itself
  over <- function(tail) integrate(function(w) sapply(w, function(v) suppressWarnings(tail(d * sqrt(v)))) * dchisq(w, n - 1),
    qchisq(1e-14, n - 1), qchisq(1e-14, n - 1, lower.tail = FALSE), rel.tol = 1e-10, subdivisions = 2000)$value
  up <- over(function(ncp) pt(tc, n - 2, ncp, lower.tail = FALSE))
  down <- if (two) over(function(ncp) pt(-tc, n - 2, ncp)) else 0
  rc <- sqrt(tc^2 / (tc^2 + n - 2)); zr <- atanh(rho) + rho / (2 * (n - 1)); zrc <- atanh(rc)     # pwr.r.test
  approx <- pnorm((zr - zrc) * sqrt(n - 3)) + if (two) pnorm((-zr - zrc) * sqrt(n - 3)) else 0
  list(id = sprintf("correlation-%d-%g-%g-%s", n, rho, alpha, two), kind = "correlation",
    input = list(n = n, rho = rho, alpha = alpha, oneSided = !two), expected = list(power = up, rejection = up + down, approx = approx))
}
anova <- function(n, groups, f, alpha) list(id = sprintf("anova-%d-%d-%g", n, groups, f), kind = "anova",
  input = list(n = n, groups = groups, f = f, alpha = alpha),
  expected = list(power = power.anova.test(groups, n, between.var = f^2 * groups / (groups - 1), within.var = 1, sig.level = alpha)$power))
chisq <- function(n, w, df, alpha) list(id = sprintf("chisq-%d-%g-%d", n, w, df), kind = "chi-square",
  input = list(n = n, w = w, df = df, alpha = alpha),
  expected = list(power = pchisq(qchisq(alpha, df, lower.tail = FALSE), df, ncp = n * w^2, lower.tail = FALSE)))
cohen <- function(n, n2, h, alpha, two) { s <- h * sqrt(n * n2 / (n + n2)); z <- qnorm(if (two) alpha / 2 else alpha, lower.tail = FALSE)
  list(id = sprintf("h-%d-%d-%g-%s", n, n2, h, two), kind = "cohens-h", input = list(n = n, n2 = n2, h = h, alpha = alpha, oneSided = !two),
    expected = list(power = pnorm(z, s, lower.tail = FALSE), rejection = pnorm(z, s, lower.tail = FALSE) + if (two) pnorm(-z, s) else 0)) }
inferior <- function(design, n, margin, delta, alpha, sd = 1, baseline = NA, discordance = NA) {
  tt <- function(df, se) suppressWarnings(pt(qt(alpha, df, lower.tail = FALSE), df, ncp = (margin + delta) / se, lower.tail = FALSE))
  zz <- function(se) pnorm((margin + delta) / se - qnorm(alpha, lower.tail = FALSE))
  p <- switch(design, paired = tt(n - 1, sd / sqrt(n)), "two-sample" = tt(2 * n - 2, sd * sqrt(2 / n)),
    proportions = zz(sqrt((baseline * (1 - baseline) + (baseline + delta) * (1 - baseline - delta)) / n)),
    "paired-accuracy" = zz(sqrt((discordance - delta^2) / n)))
  input <- list(design = design, n = n, margin = margin, delta = delta, alpha = alpha)
  if (design %in% c("paired", "two-sample")) input$sd <- sd
  if (!is.na(baseline)) input$baseline <- baseline
  if (!is.na(discordance)) input$discordance <- discordance
  list(id = sprintf("inferior-%s-%d-%g-%g", design, n, margin, delta), kind = "non-inferiority", input = input, expected = list(power = p))
}
cases <- list(
  correlation(20, .5, .05, TRUE), correlation(84, .3, .05, TRUE), correlation(10, .8, .01, TRUE), correlation(500, .1, .05, TRUE),
  correlation(30, .2, .05, FALSE), correlation(4, .6, .05, TRUE),
  anova(20, 4, .25, .05), anova(5, 3, .8, .01), anova(100, 2, .1, .05), anova(2, 6, 1.2, .05),
  chisq(100, .3, 1, .05), chisq(200, .1, 9, .05), chisq(50, .5, 4, .01),
  cohen(80, 80, .3, .05, TRUE), cohen(40, 200, .5, .01, TRUE), cohen(60, 60, .2, .05, FALSE),
  inferior("paired", 50, .3, 0, .05), inferior("paired", 12, 1, -.2, .025, sd = 1.3), inferior("two-sample", 64, .5, .1, .05),
  inferior("proportions", 300, .08, 0, .05, baseline = .85), inferior("proportions", 150, .1, .03, .025, baseline = .7),
  inferior("paired-accuracy", 400, .04, 0, .05, discordance = .12), inferior("paired-accuracy", 250, .05, -.01, .025, discordance = .2))
writeLines(gsub('\\{"id"', '\n{"id"', toJSON(list(schema = "oracle/1", generated_with = list(R = as.character(getRversion())), cases = cases),
  auto_unbox = TRUE, digits = I(17))), "oracle/r/power-classical.json")
