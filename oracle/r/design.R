# Formulas, model matrices and random-effects terms as R, lme4 and mgcv make them.
# Run: Rscript oracle/r/design.R   (from the project's root; writes oracle/r/design.json)
suppressPackageStartupMessages({ library(stats); library(lme4); library(mgcv); library(jsonlite) })
set.seed(20240611)

# ---- data ----
n <- 24
full <- data.frame(y = round(rnorm(n), 4), x = round(rnorm(n, 3), 4), z = round(runif(n, 1, 9), 3), n = rep(c(1, 2, 10), 8))
full$f <- factor(rep(c("p", "q", "r"), each = 8))
full$h <- factor(sample(rep(c("A", "B"), 12)))
full$o <- factor(sample(rep(c("lo", "mid", "hi", "top"), 6)), levels = c("lo", "mid", "hi", "top"), ordered = TRUE)
full$five <- factor(sample(rep(1:6, 4)), ordered = TRUE)
full$k <- factor(sample(c("k1", "k3", "k4"), n, TRUE), levels = c("k1", "k2", "k3", "k4"))
full$s <- sample(c("u", "v"), n, TRUE)
full$lg <- sample(c(TRUE, FALSE), n, TRUE)
full$g <- factor(sample(rep(c("g1", "g2", "g3", "g4"), 6)))
full$a <- factor(rep(c("a1", "a2"), 12))
full$b <- factor(sample(rep(c("b1", "b2", "b3"), 8)))
full$w <- round(runif(n, 1, 3), 3)
full$succ <- rpois(n, 4); full$fail <- rpois(n, 3) + 1
full[["my col"]] <- round(rnorm(n), 3)
full[["my f"]] <- factor(rep(c("no", "yes"), 12))
gaps <- full
gaps$x[c(2, 9)] <- NA; gaps$f[gaps$f == "r"][1:3] <- NA; gaps$y[5] <- NA; gaps$z[c(9, 20)] <- NA; gaps$g[12] <- NA
gaps$k[which(gaps$k == "k3")] <- NA; gaps$lg[4] <- NA
new <- full[c(3, 11, 20), ]; new$x <- c(0.5, 2, 7); new$z <- c(1, 5, 12)
data <- list(full = full, gaps = gaps, new = new)
plain <- function(d) lapply(seq_along(d), function(i) {
  v <- d[[i]]
  out <- list(name = names(d)[i])
  if (is.logical(v)) v <- factor(v, levels = c(FALSE, TRUE))
  if (is.character(v)) v <- factor(v)
  if (is.factor(v)) c(out, list(kind = "factor", levels = levels(v), ordered = is.ordered(v), values = as.character(v)))
  else c(out, list(kind = "numeric", values = v))
})
columns <- function(m) unname(lapply(seq_len(ncol(m)), function(j) unname(m[, j])))

# ---- fixed effects ----
fixed_text <- c("y ~ x", "y ~ 1", "y ~ 0", "y ~ x - 1", "y ~ f", "y ~ 0 + f", "y ~ f + h", "y ~ 0 + f + h", "y ~ f * h", "y ~ 0 + f * h",
  "y ~ f:h", "y ~ 0 + f:h", "y ~ f + f:h", "y ~ h + f:h", "y ~ f * h - f", "y ~ f * h - h", "y ~ f * h - 1 - f - h", "y ~ f / h", "y ~ f %in% h",
  "y ~ h + f %in% h", "y ~ (f + h + k)^2", "y ~ (f + h + k)^3 - f:h:k", "y ~ f * h * k - f:h", "y ~ x * f", "y ~ x:f", "y ~ x + x:f", "y ~ 0 + x + x:f",
  "y ~ 0 + x:f", "y ~ f:x", "y ~ 0 + x:f + h", "y ~ x:f:h", "y ~ f + x:f:h", "y ~ x * z", "y ~ x:z", "y ~ o", "y ~ 0 + o", "y ~ five", "y ~ o:x", "y ~ o * f",
  "y ~ k", "y ~ 0 + k", "y ~ s", "y ~ s * x", "y ~ lg", "y ~ 0 + lg", "y ~ lg:f", "y ~ I(x > 3)", "y ~ 0 + I(x > 3)", "y ~ x > 3", "y ~ (x > 3):f", "y ~ !lg",
  "y ~ I(x^2) + x", "y ~ log(z)", "y ~ log(z, 2) + log2(z) + log10(z) + log1p(z) + sqrt(z) + exp(-z)", "y ~ I(x / 2 + 1e-3 * z)",
  "y ~ I(100000 * x + 123456)", "y ~ I((x + 1)^2)", "y ~ scale(x)", "y ~ scale(x, scale = FALSE) * f", "y ~ scale(x, center = FALSE)",
  "y ~ poly(x, 3)", "y ~ poly(x, 2):f", "y ~ poly(x, 1)", "y ~ poly(x, 2, raw = TRUE)", "y ~ factor(n)", "y ~ factor(n) * x", "y ~ ordered(n)",
  "y ~ as.factor(n):h", "y ~ relevel(f, ref = \"q\")", "y ~ relevel(f, \"r\") * h", "y ~ C(f, sum)", "y ~ C(f, helmert) * x", "y ~ C(f, sum):x", "y ~ C(o, treatment)",
  "y ~ C(f, contr.poly)", "y ~ factor(f, levels = c(\"r\", \"q\", \"p\"))", "y ~ ifelse(x > 3, 1, 0)", "y ~ ifelse(x > 3, \"hi\", \"lo\")", "y ~ pmin(x, z) + pmax(x, 2)",
  "y ~ I(f == \"p\")", "y ~ I(f %in% c(\"p\", \"q\"))", "y ~ I(lg & x > 3)", "y ~ I(n %% 3) + I(n %/% 3)", "y ~ round(x) + floor(x) + ceiling(x) + abs(x - 3)",
  "y ~ `my col` * `my f`", "y ~ cbind(x, z)", "y ~ x + offset(z)", "y ~ x + offset(log(z)) + offset(x)", "log(z) ~ x", "I(y > 0) ~ x", "f ~ x", "cbind(succ, fail) ~ x + f",
  "~ f + x", "y ~ x + z + f - z", "y ~ b:a + a", "y ~ a/b/h", "y ~ a*b %in% h", "y ~ (a + b)/h", "y ~ a:b:h - 1", "y ~ a:x + b:x + a:b:x", "y ~ sin(x) + trunc(z)", "y ~ I(x - mean(x))")
contrast_cases <- list(list("y ~ f", list(f = "contr.sum")), list("y ~ f * h", list(f = "contr.helmert", h = "contr.sum")),
  list("y ~ f:x", list(f = "contr.sum")), list("y ~ o + f", list(o = "contr.treatment", f = "contr.poly")), list("y ~ f * o", list(f = "contr.sum")))
fixed_case <- function(text, name, contrasts = NULL, contrast_names = NULL) {
  frame <- model.frame(as.formula(text), data[[name]], drop.unused.levels = TRUE, na.action = na.omit)
  tt <- attr(frame, "terms")
  X <- model.matrix(tt, frame, contrasts.arg = contrasts)
  omitted <- as.integer(attr(frame, "na.action"))
  y <- model.response(frame)
  list(formula = text, data = name, contrasts = contrast_names, labels = as.list(attr(tt, "term.labels")), intercept = attr(tt, "intercept") == 1,
    assign = as.list(attr(X, "assign")), names = as.list(colnames(X)), rows = setdiff(seq_len(nrow(data[[name]])), omitted), X = columns(X),
    offset = model.offset(frame), y = if (is.numeric(y) && is.null(dim(y))) unname(y))
}
no_poly_gaps <- fixed_text[!grepl("poly\\(x|mean\\(", fixed_text)]
fixed <- c(lapply(fixed_text, fixed_case, "full"),
  lapply(no_poly_gaps[seq(1, length(no_poly_gaps), by = 2)], fixed_case, "gaps"),
  lapply(contrast_cases, function(case) fixed_case(case[[1]], "full", case[[2]], lapply(case[[2]], function(v) sub("contr.", "", v, fixed = TRUE)))))
options(contrasts = c("contr.sum", "contr.poly"))
sums <- lapply(c("y ~ f * h", "y ~ o + f", "y ~ 0 + f + h", "y ~ lg"), fixed_case, "full", NULL, "sum")
options(contrasts = c("contr.treatment", "contr.poly"))

# ---- new data coded by what the old data taught ----
predict_case <- function(text) {
  frame <- model.frame(as.formula(text), full, drop.unused.levels = TRUE)
  tt <- delete.response(attr(frame, "terms"))
  X <- model.matrix(tt, model.frame(tt, new, xlev = .getXlevels(attr(frame, "terms"), frame)))
  list(formula = text, names = as.list(colnames(X)), X = columns(X))
}
predicted <- lapply(c("y ~ scale(x) + f", "y ~ poly(x, 3) * h", "y ~ factor(n) + z", "y ~ scale(x, scale = FALSE):f + o", "y ~ relevel(f, \"r\") + x", "y ~ I(x > 3)"), predict_case)

# ---- random formulas: labels and columns ----
random_text <- function(depth) {
  if (depth == 0 || runif(1) < 0.15) return(sample(c("a", "b", "f", "x", "z", "log(z)", "I(x^2)"), 1))
  op <- sample(c(" + ", " + ", " + ", " * ", ":", "/", " - ", " %in% ", "^"), 1)
  left <- random_text(depth - 1)
  if (op == "^") return(paste0("(", left, " + ", random_text(depth - 1), ")^", sample(2:3, 1)))
  wrap <- function(text) if (runif(1) < 0.6) paste0("(", text, ")") else text
  paste0(wrap(left), op, wrap(random_text(depth - 1)))
}
random_case <- function(i) {
  text <- paste0("y ~ ", sample(c("", "", "", "0 + ", "-1 + "), 1), random_text(sample(2:3, 1)))
  tt <- terms(as.formula(text))
  X <- model.matrix(tt, full)
  list(formula = text, labels = as.list(attr(tt, "term.labels")), intercept = attr(tt, "intercept") == 1, names = as.list(colnames(X)), assign = as.list(attr(X, "assign")))
}
random_fixed <- Filter(function(case) length(case$names) < 60, lapply(1:400, random_case))
dots <- lapply(c("y ~ .", "log(y) ~ .", "~ .", "y ~ .^2 - x", "y ~ . - x + z:x", "y ~ x + .", "cbind(y, z) ~ . + 0"), function(text)
  list(formula = text, labels = as.list(attr(terms(as.formula(text), data = data.frame(y = 1, x = 2, a = 3, z = 1)), "term.labels"))))

# ---- random effects ----
control <- lmerControl(check.nobs.vs.nRE = "ignore", check.nobs.vs.nlev = "ignore", check.nobs.vs.rankZ = "ignore", check.rankX = "ignore", check.scaleX = "ignore", check.nlev.gtreq.5 = "ignore")
random_formulas <- c("y ~ x + (1 | g)", "y ~ x + (x | g)", "y ~ (1 + x | g)", "y ~ (0 + x | g)", "y ~ (x - 1 | g)", "y ~ (1 | g) + (0 + x | g)", "y ~ (x || g)", "y ~ (f || g)",
  "y ~ (x + f || g)", "y ~ (0 + x + z || g)", "y ~ (x * z || g)", "y ~ (1 | a/b)", "y ~ (1 | a/b/h)", "y ~ (x | a/b)", "y ~ (x || a/b)", "y ~ (1 | a:b)", "y ~ (1 | b:a) + (x | g)",
  "y ~ (f | g)", "y ~ (0 + f | g)", "y ~ (f * x | g)", "y ~ (1 | n)", "y ~ (1 | n:a)", "y ~ (1 | `my f`) + (`my col` | `my f`:a)", "y ~ f + ((1 | g) + (1 | a))",
  "y ~ (1 | g) + x + (o | a)", "y ~ (1 | a) + (1 | b) + (1 | g)", "y ~ (lg | g)", "y ~ (log(z) || g)", "y ~ 0 + f + (1 | s)", "y ~ (x:f | g)", "y ~ (poly(x, 2) | g)", "y ~ (1 | k)")
random_case <- function(text, name) {
  f <- as.formula(text)
  lf <- suppressMessages(lFormula(f, data[[name]], control = control))
  groups <- lf$reTrms$flist
  list(formula = text, data = name, bars = as.list(sapply(findbars(f), function(bar) paste(deparse(bar, 500), collapse = ""))),
    cnms = unname(lapply(lf$reTrms$cnms, as.list)), groups = as.list(names(groups)[attr(groups, "assign")]),
    levels = unname(lapply(groups[attr(groups, "assign")], levels)), rows = as.integer(rownames(lf$fr)), Zt = columns(t(as.matrix(lf$reTrms$Zt))), names = as.list(colnames(lf$X)))
}
random <- c(lapply(random_formulas, random_case, "full"), lapply(random_formulas[seq(1, 24, by = 3)], random_case, "gaps"))

# ---- smooth terms, printed expressions, evaluated expressions ----
smooth <- lapply(c("y ~ s(x)", "y ~ f + s(x, by = f)", "y ~ s(x, z)", "y ~ te(x, z, k = c(3, 4), bs = c(\"cr\", \"tp\"))", "y ~ ti(x) + ti(z) + ti(x, z)", "y ~ t2(x, z)",
  "y ~ s(log(z), k = 5, bs = \"cr\")", "y ~ s(x, k = 7, m = 2, fx = TRUE) + s(g, bs = \"re\")", "y ~ -1 + s(x)", "y ~ te(x, z, w, d = c(2, 1))"), function(text) {
  gf <- interpret.gam(as.formula(text))
  list(formula = text, parametric = as.list(attr(terms(gf$pf), "term.labels")), intercept = attr(terms(gf$pf), "intercept") == 1,
    smooth = lapply(gf$smooth.spec, function(s) list(label = s$label, term = as.list(s$term), by = s$by,
      bs = as.list(if (is.null(s$margin)) sub(".smooth.spec", "", class(s), fixed = TRUE) else sapply(s$margin, function(m) sub(".smooth.spec", "", class(m), fixed = TRUE))),
      k = as.list(if (is.null(s$margin)) s$bs.dim else sapply(s$margin, function(m) m$bs.dim)))))
})
printed <- lapply(c("a%in%b", "!a&&b||c", "-(a)^-2", "a<=b", "'a\"b\\n\\\\'", "f(x,ref='b',k=1e-10)", "a%%b", "a%/%b", "`if`+`a b`(x)", "if0+`_a`", "a:b*c", "NA+TRUE+Inf", "- -a", "!(!a)",
  "1/3+0.1", "123456.789", "1234567890123456789", "100000", "123456", "0.0001", "0.001", "1e-300", "1e5*x", "1e15", "0.1234567890123456", "2^-1:3", "a-b-c", "a**2", "'t\\tu'", "-1.5e-7", "x.1+.y"), function(text)
  list(text = text, deparsed = paste(deparse(parse(text = text)[[1]], 500, backtick = TRUE), collapse = "")))
evaluated <- lapply(c("x + z", "-x^2", "x / z - 1", "x %% 2", "-x %% 2", "x %/% 0.7", "x > 3", "x >= 3 & z < 5", "x > 3 | is.na(z)", "!(x > 3)", "f == 'p'", "f != 'p'", "f %in% c('p', 'r')",
  "!(f %in% c('p', 'r'))", "is.na(f) | f == 'q'", "ifelse(x > 3, z, -z)", "pmin(x, z, 2)", "pmax(x, 3)", "round(x, 2)", "round(z * 10) / 10", "o > 'lo'", "o <= 'hi'", "exp(-x) + expm1(x / 9)",
  "abs(x - 3) > 1 & lg == TRUE", "n == 10", "n %in% c(1, 10)", "sign(y) * floor(z)", "log10(z) < 0.5 | f == 'p'", "h == 'A' & (s == 'u' | s == 'v') & !lg", "x^2^0.5", "2^-x", "is.na(x) + 1"), function(text) {
  code <- parse(text = text)[[1]]
  list(text = text, full = as.numeric(eval(code, full)), gaps = as.numeric(eval(code, gaps)))
})
contrasts <- lapply(c("treatment", "sum", "helmert", "poly"), function(kind) lapply(2:9, function(m) {
  C <- get(paste0("contr.", kind))(m)
  list(contrast = kind, levels = m, names = as.list(colnames(C)), matrix = columns(C))
}))

result <- list(tools = list(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")), mgcv = as.character(packageVersion("mgcv"))),
  data = lapply(data, plain), fixed = c(fixed, sums), predicted = predicted, randomFixed = random_fixed, dots = dots, random = random, smooth = smooth,
  printed = printed, evaluated = evaluated, contrasts = unlist(contrasts, recursive = FALSE))
write(toJSON(result, auto_unbox = TRUE, digits = I(17), na = "null", null = "null"), "oracle/r/design.json")
cat(length(result$fixed), "fixed,", length(random_fixed), "random fixed,", length(random), "mixed\n")
