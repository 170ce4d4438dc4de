import DefaultTheme from "vitepress/theme-without-fonts";
import "../tokens.css";
import "./site.css";

export default DefaultTheme;
